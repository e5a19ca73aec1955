import type { Host } from '#chat/host.ts';
import { localOwner } from '#chat/users.ts';
import { passwordSignInSchema, signInWaysSchema } from '#shared/people-api.ts';
import type { Api } from '../api.ts';
import { signInPath } from '../guard.ts';
import { clearSession, giveSession, readSession } from '../reach.ts';

/** The ways in: the one-time link of the console, a name with its password; and the way out. */
export function signInRoutes(api: Api, host: Host, onSignIn?: () => void): void {
  const { signIns } = host;
  api.app.get('/sign-in', async (c) => {
    const known = await signIns.visitor({ cookie: readSession(c) });
    if (known?.owner === localOwner) return c.redirect('/', 303);
    const signIn = await signIns.redeem(c.req.query('code') ?? '', c.req.header('user-agent'));
    if (!signIn) return c.redirect('/?sign-in=used', 303);
    if (known) await signIns.signOut(known);
    giveSession(c, signIn);
    onSignIn?.();
    return c.redirect('/', 303);
  });
  api.get(
    {
      path: signInPath,
      summary: 'The ways to sign in that this host has. Needs no sign-in.',
      response: signInWaysSchema,
    },
    () => host.ways(),
  );
  api.post(
    {
      path: signInPath,
      summary: 'Sign this browser in with a name and a password. Needs no sign-in.',
      body: passwordSignInSchema,
      status: 204,
      secret: true,
    },
    async ({ body, c }) => {
      const from = { address: c.var.reach.address, browser: c.req.header('user-agent') };
      const signIn = await signIns.withPassword(body, from);
      const before = await signIns.visitor({ cookie: readSession(c) });
      if (before) await signIns.signOut(before);
      giveSession(c, signIn);
      return {};
    },
  );
  api.post(
    { path: '/api/sign-out', summary: 'Sign this browser out.', status: 204 },
    async ({ visitor, c }) => {
      await signIns.signOut(visitor);
      clearSession(c);
      return {};
    },
  );
}
