import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Host } from '#chat/host.ts';
import type { Api } from '../api.ts';
import { sessionCookie } from '../guard.ts';

/** The one-time link that signs a browser in, and its way out. */
export function signInRoutes(api: Api, host: Host, onSignIn?: () => void): void {
  api.app.get('/sign-in', async (c) => {
    const known = await host.signIns.ownerOf({ cookie: getCookie(c, sessionCookie) });
    if (known) return c.redirect('/', 303);
    const signIn = await host.signIns.redeem(c.req.query('code') ?? '');
    if (!signIn) return c.redirect('/?sign-in=used', 303);
    setCookie(c, sessionCookie, signIn.token, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: signIn.maxAge,
    });
    onSignIn?.();
    return c.redirect('/', 303);
  });
  api.post(
    { path: '/api/sign-out', summary: 'Sign this browser out.', status: 204 },
    async ({ c }) => {
      await host.signIns.signOut(getCookie(c, sessionCookie) ?? '');
      deleteCookie(c, sessionCookie, { path: '/' });
      return c.body(null, 204);
    },
  );
}
