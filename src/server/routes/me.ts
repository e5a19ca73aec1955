import type { Host } from '#chat/host/host.ts';
import {
  changePasswordSchema,
  remainingKeysSchema,
  meSchema,
  signInsSchema,
} from '#shared/api/people-api.ts';
import { pageLimits } from '#shared/vocabulary/limits.ts';
import { json, manage, read, secret } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import { giveSession, readSession } from '../api/reach.ts';

/** Whoever asks: who they are, their password, and where they are signed in. */
export function meRoutes(api: Api, host: Host): void {
  const { signIns, users } = host;
  api.get(
    {
      path: '/api/me',
      access: read,
      summary: 'Who you are, your role, and the ways to sign in that there are.',
      response: meSchema,
    },
    async ({ visitor, c }) => {
      const { credential, owner } = visitor;
      const isBrowser = credential.kind === 'sign-in';
      const fresh = isBrowser ? await signIns.rotate(readSession(c) ?? '') : undefined;
      if (fresh) giveSession(c, fresh);
      return {
        user: await users.get(owner),
        ...(isBrowser && {
          signIn: { id: credential.id, method: credential.method },
        }),
        ways: await host.ways(),
        asksPassword: await signIns.asksPassword(visitor),
        limits: pageLimits(host.limits),
      };
    },
  );
  api.post(
    {
      path: '/api/me/password',
      access: { ...manage, ...json, ...secret },
      summary: 'Set your password; ends all your other sign-ins, and names the keys that are left.',
      body: changePasswordSchema,
      response: remainingKeysSchema,
    },
    async ({ visitor, body, c }) => {
      const from = { cookie: readSession(c), address: c.var.reach.address };
      const { fresh, keys } = await signIns.setPassword(visitor, body, from);
      if (fresh) giveSession(c, fresh);
      return { keys };
    },
  );
  api.get(
    {
      path: '/api/sign-ins',
      access: read,
      summary: 'The browsers you are signed in with, the newest first.',
      response: signInsSchema,
    },
    async ({ visitor }) => ({ signIns: await signIns.list(visitor) }),
  );
  api.delete(
    {
      path: '/api/sign-ins/:id',
      access: manage,
      summary: 'End one of your sign-ins; what that browser has open ends with it.',
      status: 204,
    },
    async ({ owner, params }) => {
      await signIns.end(owner, params.id);
      return {};
    },
  );
}
