import type { StoredBlob } from '#shared/vocabulary/ports.ts';

/** What a browser may display directly; anything else could be a page with scripts, so it is saved. */
const shown =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|application\/pdf|(?:audio|video)\/[a-z0-9.-]+)$/;
const plainText = new Set(['text/plain', 'text/markdown', 'text/csv', 'application/json']);

/**
 * The headers a kept file is served with. Regardless of its author, it can run nothing, load nothing, and be
 * no part of another site.
 */
export function fileHeaders(blob: StoredBlob, download: boolean): Record<string, string> {
  const type = plainText.has(blob.mimeType)
    ? 'text/plain; charset=utf-8'
    : shown.test(blob.mimeType)
      ? blob.mimeType
      : undefined;
  return {
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': disposition(type === undefined || download, blob.name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    etag: etagOf(blob),
  };
}

/** By RFC 6266: a plain name for old programs, and the whole name for all others. */
export function disposition(attachment: boolean, name: string | undefined): string {
  const kind = attachment ? 'attachment' : 'inline';
  const clean = name?.replaceAll(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '');
  if (!clean) return kind;
  const plain = clean.replaceAll(/[^\x20-\x7E]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(clean.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function etagOf({ hash }: StoredBlob): string {
  return `"${hash}"`;
}

/** Whether the client has these bytes already. */
export function matchesEtag(ifNoneMatch: string | undefined, blob: StoredBlob): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.some((tag) => tag === '*' || tag === etagOf(blob));
}

/**
 * The one range a request asks for, `end` not included. Undefined: all of it, also for what is no
 * range or several. Null: the range begins after the end.
 */
export function parseRange(
  headers: { range: string | undefined; ifRange: string | undefined },
  blob: StoredBlob,
): { start: number; end: number } | null | undefined {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(headers.range ?? '');
  const [first, last] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (first === '' && last === '') return undefined;
  if (headers.ifRange !== undefined && headers.ifRange !== etagOf(blob)) return undefined;
  const { size } = blob;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : null;
}
