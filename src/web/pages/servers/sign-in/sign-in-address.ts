/**
 * The address of a page to sign in at, if a browser may be sent there: https, or http on this machine.
 * Null for everything else, whatever the host made of it before.
 */
export function signInAddress(text: string): URL | null {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && isLoopback(url.hostname) ? url : null;
}

/** Whether a name has letters that may imitate those of another name. */
export function isImitable({ hostname }: URL): boolean {
  return hostname.split('.').some((label) => label.startsWith('xn--'));
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]')
    return true;
  return /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
