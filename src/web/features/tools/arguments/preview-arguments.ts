import { truncate } from '#shared/text/text.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';

/** The arguments of a call in one line; while the model still writes them, their last words. */
export function previewArguments(block: Pick<ToolBlock, 'arguments' | 'content'>): string {
  const entries = Object.entries(block.arguments);
  if (entries.length === 0) {
    const written = block.content.slice(-120).replaceAll(/\s+/g, ' ').trim();
    return /^\{ ?\}$/.test(written) ? '' : written;
  }
  const words = entries.map(([key, value]) => {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key}: ${truncate(shown.slice(0, 200).replaceAll(/\s+/g, ' '), 80)}`;
  });
  return truncate(words.slice(0, 8).join(', '), 200);
}
