import type { Context } from 'hono';
import type { Host } from '#chat/host/host.ts';
import { serverFor } from '#chat/servers/key-rights.ts';
import {
  beginSignInSchema,
  signInStartSchema,
  finishedSignInSchema,
  finishSignInSchema,
  signInStateSchema,
} from '#shared/api/sign-in-api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { everyone, freshServers, json, manage, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import type { Env } from '../api/env.ts';
import { readSession } from '../api/reach.ts';
import { callbackPage } from '../pages/callback-page.ts';

/** Signing in to protected MCP servers. */
export function serverSignInRoutes(api: Api, host: Host): void {
  const { serverSignIn } = host;
  api.get(
    {
      path: '/api/servers/:id/sign-in',
      access: { ...read, ...freshServers },
      summary: 'Get your sign-in to a server: its status, authorization server and scopes.',
      response: signInStateSchema,
    },
    async ({ owner, visitor, params }) =>
      serverSignIn.state(owner, serverFor(host.servers, visitor, params.id).id),
  );
  api.post(
    {
      path: '/api/servers/:id/sign-in',
      access: { ...manage, ...json, ...freshServers },
      summary: 'Start a sign-in and get the URL to open. It must be completed within 5 minutes.',
      body: beginSignInSchema,
      response: signInStartSchema,
    },
    ({ owner, params, body: { redirectUri }, c }) =>
      serverSignIn.begin(owner, params.id, redirectUri ? { redirectUri } : { origin: originOf(c) }),
  );
  api.post(
    {
      path: '/api/servers/sign-in/finish',
      access: { ...manage, ...json, ...freshServers },
      summary: 'Complete a sign-in with the URL the browser was redirected to.',
      body: finishSignInSchema,
      response: finishedSignInSchema,
    },
    ({ owner, body }) => serverSignIn.finish(owner, body.url),
  );
  api.post(
    {
      path: '/api/servers/:id/sign-out',
      access: { ...manage, ...freshServers },
      summary: 'Sign out of a server: revoke and delete its tokens, and disconnect it.',
      status: 204,
    },
    async ({ owner, params }) => {
      await serverSignIn.signOut(owner, params.id);
      return {};
    },
  );
  browserRoutes(api, host);
}

/** What browsers and authorization servers open, rather than programs. */
function browserRoutes(api: Api, host: Host): void {
  // The session's cookie may not come along here: the handler looks for it.
  api.page({ path: '/api/oauth/callback', access: everyone }, (c) => answerBrowser(c, host));
  api.page({ path: '/oauth/client.json', access: everyone }, async (c) => {
    const document = host.serverSignIn.clientDocument();
    if (document) return c.json(document, 200, { 'cache-control': 'public, max-age=3600' });
    throw new CeriseError('not_found', say('no-public-address')`This host has no public URL.`, {
      hint: say('no-public-address-hint')`Set CERISE_PUBLIC_URL to the https URL of this host.`,
    });
  });
}

const marker = 'cerise_again';

/**
 * The session's cookie does not come along when another site sends the browser here, so a page of ours
 * sends it once more. Nothing happens without the cookie.
 */
async function answerBrowser(c: Context<Env>, host: Host): Promise<Response> {
  const page = { way: 'servers' as const, languages: c.req.header('accept-language') };
  const url = new URL(c.req.url);
  const { owner } = (await host.signIns.visitor({ cookie: readSession(c) })) ?? {};
  if (owner === undefined && !url.searchParams.has(marker)) {
    const path = `${url.pathname}${url.search}${url.search === '' ? '?' : '&'}${marker}=1`;
    return callbackPage({ kind: 'again', path }, page);
  }
  try {
    if (owner === undefined) throw notSignedIn();
    await host.enter(owner);
    const { serverId } = await host.serverSignIn.finish(owner, url.href);
    const { name } = host.servers.get(owner, serverId);
    return callbackPage({ kind: 'signed-in', serverName: name }, page);
  } catch (error) {
    if (!(error instanceof CeriseError)) throw error;
    return callbackPage({ kind: 'failed', error: toErrorInfo(error) }, page);
  }
}

function notSignedIn(): CeriseError {
  return new CeriseError(
    'unauthenticated',
    say('browser-not-signed-in')`This browser isn't signed in to Cerise.`,
    {
      hint: say(
        'browser-not-signed-in-hint',
      )`Sign in to Cerise first, then sign in to the server again.`,
    },
  );
}

/** Where the person's browser sees us; a page names it, and the guard has judged it. */
function originOf(c: Context<Env>): string {
  return c.req.header('origin') ?? `http://${c.req.header('host') ?? ''}`;
}
