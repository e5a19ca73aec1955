import { isLoopback } from '#shared/text/loopback.ts';

/**
 * The address of a page to sign in at, if a browser may be sent there: https, or http on this machine.
 * Null for everything else, whatever the host made of it before.
 */
export function signInAddress(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && isLoopback(url) ? url : null;
}

/** Whether a name has letters that may imitate those of another name. */
export function isImitable({ hostname }: URL): boolean {
  return hostname.split('.').some((label) => label.startsWith('xn--'));
}
