const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  copy: '©',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  times: '×',
  rarr: '→',
  larr: '←',
};

/** Text with its common character references resolved; unknown ones stay as they are. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (...found) => {
    const [whole, decimal, hex, name] = found as string[];
    if (name) return Object.hasOwn(named, name) ? (named[name] ?? '') : (whole ?? '');
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
    const legal = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
    return legal ? String.fromCodePoint(code) : '\uFFFD';
  });
}

/** An address a reader may follow, or null: only whole http, https and mailto addresses are. */
export function safeLink(href: string): string | null {
  return parsed(href, ['http:', 'https:', 'mailto:']);
}

/** Like `safeLink`, for what a tool or a server named: http and https only. */
export function webLink(href: string | undefined): string | null {
  return href === undefined ? null : parsed(href, ['http:', 'https:']);
}

function parsed(href: string, protocols: string[]): string | null {
  const text = decodeReferences(href).trim();
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return protocols.includes(url.protocol) ? url.href : null;
}

const pictureTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** Whether a browser may show such data as a picture; SVG can carry more than a picture. */
export function isPicture(mimeType: string | undefined): boolean {
  return mimeType !== undefined && pictureTypes.has(mimeType.toLowerCase());
}
