/** Why a link may not lead where its words say. */
export type LinkDoubt = 'elsewhere' | 'lookalike' | 'hidden';

const direction = /\p{Bidi_Control}/gu;
const namesHost =
  /^\s*(?:https?:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\p{N}_-]+\.)+\p{L}{2,})(?::\d+)?(?=[/?#\s]|$)/iu;

/** Where a link leads, and what speaks against following it. */
export interface LinkFacts {
  /** The host as the network knows it, so that look-alike letters show. */
  host: string;
  doubt?: LinkDoubt;
}

/** The facts of a checked address and the words that a reader sees for it. */
export function linkFacts(address: string, words: string): LinkFacts {
  const url = new URL(address);
  if (url.protocol === 'mailto:') return { host: url.pathname.slice(0, 200) };
  const { host } = url;
  if (words.search(direction) !== -1) return { host, doubt: 'hidden' };
  const named = namesHost.exec(words)?.[1];
  if (url.username !== '' || (named !== undefined && !isSameHost(named, url.hostname)))
    return { host, doubt: 'elsewhere' };
  if (/(?:^|\.)xn--/.test(url.hostname)) return { host, doubt: 'lookalike' };
  return { host };
}

/** A text without marks that change the direction of writing, and with it the order on the page. */
export function withoutDirection(text: string): string {
  return text.replaceAll(direction, '');
}

function isSameHost(named: string, actual: string): boolean {
  const known = URL.canParse(`http://${named}`) ? new URL(`http://${named}`).hostname : named;
  const bare = (host: string) => host.toLowerCase().replace(/^www\./, '');
  return bare(known) === bare(actual) || bare(actual).endsWith(`.${bare(known)}`);
}
