import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Host } from '#chat/host/host.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { everyone } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import type { Env } from '../api/env.ts';
import { giveSession, originOf } from '../api/reach.ts';

const beginPath = '/sign-in/oidc';
const callbackPath = '/sign-in/oidc/callback';
/** Ties the way back to the browser that went out. It comes along from another site, so it is lax. */
const flowCookie = 'cerise_flow';

/** What browsers open to sign in by the identity provider of this host. */
export function oidcRoutes(api: Api, host: Host, logger: Logger, publicUrl?: string): void {
  const { oidc } = host;
  if (!oidc) return;
  const orFailed = async (c: Context<Env>, work: () => Promise<Response>): Promise<Response> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CeriseError)) throw error;
      logger.warn(toErrorInfo(error), 'A sign-in through the identity provider failed');
      return c.redirect('/?sign-in=failed', 303);
    }
  };
  api.page({ path: beginPath, access: everyone }, (c) =>
    orFailed(c, async () => {
      const { url, browser, maxAge } = await oidc.begin(`${originOf(c, publicUrl)}${callbackPath}`);
      const secure = c.var.reach.https;
      const options = { httpOnly: true, sameSite: 'Lax', path: beginPath, maxAge, secure } as const;
      setCookie(c, flowCookie, browser, options);
      return c.redirect(url, 303);
    }),
  );
  api.page({ path: callbackPath, access: everyone }, (c) =>
    orFailed(c, async () => {
      const { searchParams } = new URL(c.req.url);
      const browser = getCookie(c, flowCookie) ?? '';
      deleteCookie(c, flowCookie, { path: beginPath });
      giveSession(c, await oidc.finish(searchParams, browser, c.req.header('user-agent')));
      return c.redirect('/', 303);
    }),
  );
}
