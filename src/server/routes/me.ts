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

/** The visitor: who they are, their password, and where they are signed in. */
export function meRoutes(api: Api, host: Host): void {
  const { signIns, users } = host;
  api.get(
    {
      path: '/api/me',
      access: read,
      summary: 'Get your user, your role and the available ways to sign in.',
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
      summary:
        'Set your password. Signs out all your other devices and returns your remaining API keys.',
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
      summary: 'List the devices where you are signed in, newest first.',
      response: signInsSchema,
    },
    async ({ visitor }) => ({ signIns: await signIns.list(visitor) }),
  );
  api.delete(
    {
      path: '/api/sign-ins/:id',
      access: manage,
      summary: 'Sign out one of your devices and close its open streams.',
      status: 204,
    },
    async ({ owner, params }) => {
      await signIns.end(owner, params.id);
      return {};
    },
  );
}
