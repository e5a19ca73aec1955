import { say, textOf, type Words } from '#shared/errors/sentence.ts';
import { isLoopback } from '#shared/text/loopback.ts';
import { signInFailed } from './ask.ts';

const maxUrlChars = 1000;
/** The URL parser drops line ends and tabs in silence, so the text itself is judged. */
const printable = /^[\u0021-\u007e]+$/;

/**
 * The URL if a sign-in may use it: https, or http on this machine for a server that is on it too; no
 * user name, no fragment, nothing unprintable. `what` names it in the refusal; its text is not echoed.
 */
export function checkEndpoint(text: unknown, what: Words, server: URL): URL {
  const refuse = (why: Words): never => {
    throw signInFailed(say('auth-stops')`Sign-in stopped: ${what} ${why}.`, {
      hint: say(
        'auth-stops-hint',
      )`The server or its authorization server is misconfigured or not trustworthy.`,
      details: { field: textOf(what) },
    });
  };
  if (typeof text !== 'string' || text === '') return refuse(say('url-missing')`is missing`);
  if (text.length > maxUrlChars || !printable.test(text))
    return refuse(say('url-not-plain')`isn't a plain URL`);
  const url = URL.parse(text);
  if (!url) return refuse(say('url-none')`isn't a URL`);
  if (url.username !== '' || url.password !== '')
    return refuse(say('url-user')`contains a username`);
  if (text.includes('#')) return refuse(say('url-fragment')`contains a fragment`);
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && isLoopback(url) && isLoopback(server)) return url;
  return refuse(say('url-not-https')`isn't an https URL`);
}

/** The identifier of a server that does not publish one: its address, without an empty path. */
export function canonicalResource(server: URL): string {
  const text = `${server.origin}${server.pathname}${server.search}`;
  return server.pathname === '/' && server.search === '' ? server.origin : text;
}

/** Whether a token for `resource` is meant for the server: same origin, and its path or one above. */
export function resourceCovers(resource: string, server: URL): boolean {
  const url = URL.parse(resource);
  if (!url || url.origin !== server.origin || url.hash !== '' || url.username !== '') return false;
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  return `${server.pathname}/`.startsWith(path);
}
