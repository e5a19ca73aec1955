import type { Host } from '#chat/host/host.ts';
import { localOwner } from '#chat/people/users.ts';
import {
  passwordSignInSchema,
  signInLinkSchema,
  signInWaysSchema,
} from '#shared/api/people-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { admins, everyone, json, read, secret } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import { clearSession, giveSession, readSession } from '../api/reach.ts';

/** The ways in: one-time links of the console, a name with its password; and the way out. */
export function signInRoutes(api: Api, host: Host, publicUrl?: string): void {
  const { signIns } = host;
  api.page({ path: '/sign-in', access: everyone }, async (c) => {
    // Checking whether a link works does not use it up.
    if (c.req.raw.method === 'HEAD') return c.redirect('/', 303);
    const code = c.req.query('code') ?? '';
    const known = await signIns.visitor({ cookie: readSession(c) });
    if (known?.owner === localOwner) {
      await signIns.links.end(code);
      return c.redirect('/', 303);
    }
    const signIn = await signIns.redeem(code, c.req.header('user-agent'));
    if (!signIn) return c.redirect('/?sign-in=used', 303);
    if (known) await signIns.signOut(known);
    giveSession(c, signIn);
    return c.redirect('/', 303);
  });
  api.get(
    {
      path: '/api/sign-in',
      access: everyone,
      summary: 'List the ways to sign in to this host. No authentication required.',
      response: signInWaysSchema,
    },
    () => host.ways(),
  );
  api.post(
    {
      path: '/api/sign-in',
      access: { ...everyone, ...json, ...secret },
      summary: 'Sign in this browser with a username and password. No authentication required.',
      body: passwordSignInSchema,
      status: 204,
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
    {
      path: '/api/sign-in/link',
      access: { ...admins, ...secret },
      summary: 'Create a link that signs in one browser, once, within 10 minutes. Console only.',
      status: 201,
      response: signInLinkSchema,
    },
    async ({ visitor, c }) => {
      if (visitor.credential.kind !== 'token') throw consoleOnly();
      const { code, expiresAt } = await signIns.links.make();
      const origin = publicUrl ?? `http://${c.req.header('host') ?? ''}`;
      return { url: `${origin}/sign-in?code=${code}`, expiresAt };
    },
  );
  api.post(
    { path: '/api/sign-out', access: read, summary: 'Sign out this browser.', status: 204 },
    async ({ visitor, c }) => {
      await signIns.signOut(visitor);
      clearSession(c);
      return {};
    },
  );
}

/** A link signs in as the admin of the console: other admins are somebody else. */
function consoleOnly(): CeriseError {
  return new CeriseError(
    'forbidden',
    say('link-console-only')`Sign-in links can only be created on this host's console.`,
    { hint: say('link-console-hint')`Run "cerise sign-in" on the machine that runs Cerise.` },
  );
}
