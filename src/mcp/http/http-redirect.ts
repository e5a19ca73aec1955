import { say, type Words } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';

/** Nothing to follow, where to go next, or why not. */
export type Redirect = undefined | { target: URL } | CallError;

const anyMethod: ReadonlySet<number> = new Set([307, 308]);
const asGet: ReadonlySet<number> = new Set([301, 302, 303]);

/** Whether an answer sends the request elsewhere, and whether it goes. Pure. */
export function judgeRedirect(answer: {
  status: number;
  location: string | undefined;
  method: string;
  url: URL;
  leavesOrigin: boolean;
}): Redirect {
  const { status, location, method, url, leavesOrigin } = answer;
  if (location === undefined || !(anyMethod.has(status) || asGet.has(status))) return undefined;
  const target = URL.parse(location, url);
  const refuse = (reason: Words): CallError =>
    new CallError(
      'ended',
      'http_error',
      say('redirects-to')`${url.host} redirects to ${displayOf(target)}, ${reason}.`,
      {
        hint: say('redirects-to-hint')`If you trust it, set it as the server's URL.`,
        details: { status },
      },
    );
  if (!target || (target.protocol !== 'http:' && target.protocol !== 'https:')) {
    return refuse(say('redirect-no-web')`which isn't a web URL`);
  }
  if (asGet.has(status) && method !== 'GET')
    return refuse(say('redirect-loses')`which would drop the message (${status})`);
  if (target.username !== '' || target.password !== '')
    return refuse(say('redirect-password')`which contains a password`);
  if (url.protocol === 'https:' && target.protocol === 'http:')
    return refuse(say('redirect-unsafe')`which isn't secure`);
  if (target.origin !== url.origin && !leavesOrigin)
    return refuse(say('redirect-origin')`which is a different origin`);
  target.hash = '';
  return { target };
}

/** Without what may be secret in it. */
function displayOf(target: URL | null): string {
  return target ? `${target.protocol}//${target.host}${target.pathname}`.slice(0, 300) : 'nowhere';
}
