import { CeriseError } from '#shared/errors.ts';

/** Nothing to follow, where to go next, or why not. */
export type Redirect = undefined | { target: URL } | CeriseError;

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
  const refuse = (reason: string): CeriseError =>
    new CeriseError('http_error', `${url.host} redirects to ${shown(target)}, ${reason}.`, {
      hint: 'If you trust that address, configure it as the address of the server.',
      details: { status },
    });
  if (!target || (target.protocol !== 'http:' && target.protocol !== 'https:')) {
    return refuse('which is no web address');
  }
  if (asGet.has(status) && method !== 'GET') return refuse(`which loses the message (${status})`);
  if (target.username !== '' || target.password !== '') return refuse('with a password in it');
  if (url.protocol === 'https:' && target.protocol === 'http:') return refuse('which is not safe');
  if (target.origin !== url.origin && !leavesOrigin) return refuse('which is another origin');
  target.hash = '';
  return { target };
}

/** Without what may be secret in it. */
function shown(target: URL | null): string {
  return target ? `${target.protocol}//${target.host}${target.pathname}`.slice(0, 300) : 'nowhere';
}
