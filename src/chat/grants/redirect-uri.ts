const maxChars = 1000;
/** The URL parser silently drops line ends and tabs, so the text itself is checked. */
const printable = /^[\u0021-\u007e]+$/;
/** http on this machine: programs listen there on any port (RFC 8252). */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/i;
/** Schemes that a browser runs, reads or handles itself; they are never opened for a program. */
const ownSchemes = new Set(
  (
    'about: blob: chrome: content: data: file: filesystem: ftp: http: intent: javascript: mailto: resource: sms: ' +
    'tel: vbscript: view-source: ws: wss:'
  ).split(' '),
);

/** Whether a browser can be sent there with a code: https, this machine, or a program's own scheme. */
export function isRedirectUri(text: string): boolean {
  if (text.length > maxChars || !printable.test(text) || text.includes('#')) return false;
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:' || loopback.test(text)) return true;
  return !ownSchemes.has(url.protocol);
}

/** Whether a program registered this exact redirect; on this machine, the port may differ. */
export function isRegistered(redirect: string, registered: readonly string[]): boolean {
  return registered.some(
    (each) => each === redirect || withoutPort(each) === withoutPort(redirect),
  );
}

function withoutPort(uri: string): string {
  return uri.replace(loopback, '$1');
}

/** Where a person's browser will go, in a form they can check: a host, or a program's scheme. */
export function placeOf(redirect: string): { place: string; isLocal: boolean } {
  const { host, protocol } = new URL(redirect);
  const isLocal = loopback.test(redirect);
  return { place: protocol === 'https:' || isLocal ? host : protocol, isLocal };
}

/** The redirect with the answer to a request. */
export function redirectWith(redirect: string, answer: Record<string, string | undefined>): string {
  const sent = Object.entries(answer).filter((entry): entry is [string, string] => !!entry[1]);
  const query = new URLSearchParams(sent).toString();
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${query}`;
}
