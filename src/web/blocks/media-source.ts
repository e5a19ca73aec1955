import type { MediaBlock } from '#shared/block.ts';

/** Where a medium can be read from: its own data, or an address of this host; never another's. */
export function mediaSource(block: Pick<MediaBlock, 'data' | 'url' | 'mimeType'>): string | null {
  if (block.data !== undefined) return dataUrl(block.data, block.mimeType);
  if (block.url?.startsWith('/api/')) return block.url;
  return null;
}

/** Inline data as an address. What is no plain type name is given as bytes without meaning. */
export function dataUrl(data: string, mimeType = 'application/octet-stream'): string {
  const plain = /^[a-z]+\/[a-z0-9.+-]+$/i.test(mimeType);
  return `data:${plain ? mimeType : 'application/octet-stream'};base64,${data}`;
}
