import { blobPath } from '#client/api/files.ts';
import type { BlobRef } from '#shared/vocabulary/tool.ts';
import { isPicture } from '../../ui/text/safe-text.ts';

/** Something to see, to hear or to take away: inline base64 `data`, or `stored`. */
export interface Medium {
  name?: string | undefined;
  mimeType?: string | undefined;
  data?: string | undefined;
  stored?: BlobRef | undefined;
}

/** What a browser can show of a medium by itself. */
export type MediumKind = 'image' | 'audio' | 'video' | 'pdf';

/** Where a medium can be read from: this host, or its own data; never another's address. */
export function mediaSource({ data, stored, mimeType }: Medium): string | null {
  if (stored) return blobPath(stored.id);
  return data === undefined ? null : dataUrl(data, mimeType);
}

/** The size of a medium in bytes, where it is known. */
export function mediaSize({ data, stored }: Medium): number | undefined {
  if (stored) return stored.size;
  return data === undefined ? undefined : Math.floor((data.length * 3) / 4);
}

/** How a medium can be shown; undefined for what is only offered as a file, such as SVG and HTML. */
export function mediaKind(mimeType: string | undefined): MediumKind | undefined {
  const type = mimeType?.toLowerCase();
  if (type === undefined || !isTypeName(type)) return undefined;
  if (isPicture(type)) return 'image';
  if (type.startsWith('audio/')) return 'audio';
  if (type.startsWith('video/')) return 'video';
  return type === 'application/pdf' ? 'pdf' : undefined;
}

/** Whether a medium is text, by its type. */
export function isTextFile({ mimeType = '' }: Medium): boolean {
  return /^(?:text\/|application\/(?:[a-z0-9.-]+\+)?(?:json|xml|yaml|toml|javascript)\b)/i.test(
    mimeType,
  );
}

/** Inline data as an address. What is no plain type name is given as bytes without meaning. */
export function dataUrl(data: string, mimeType = 'application/octet-stream'): string {
  return `data:${isTypeName(mimeType) ? mimeType : 'application/octet-stream'};base64,${data}`;
}

function isTypeName(mimeType: string): boolean {
  return /^[a-z]+\/[a-z0-9.+-]+$/i.test(mimeType);
}
