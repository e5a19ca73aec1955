import type { BlobRef } from '#shared/vocabulary/tool.ts';

/** The size of something that is stored, or inline as base64. */
export function sizeText({
  data = '',
  stored,
}: {
  data?: string | undefined;
  stored?: BlobRef | undefined;
}): string {
  const bytes = stored?.size ?? Math.floor((data.length * 3) / 4);
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
