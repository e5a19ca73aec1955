import type { Citation } from '#shared/block.ts';

const maxCitations = 50;
const maxDepth = 4;

/**
 * The sources in the result of a tool that the vendor ran itself. Vendors differ in where they put
 * them, so every object with a web address counts, in the order found, each address once.
 */
export function findCitations(result: unknown): Omit<Citation, 'number'>[] {
  const found = new Map<string, Omit<Citation, 'number'>>();
  visit(result, 0, found);
  return [...found.values()];
}

function visit(value: unknown, depth: number, found: Map<string, Omit<Citation, 'number'>>): void {
  if (depth > maxDepth || found.size >= maxCitations) return;
  if (Array.isArray(value)) {
    for (const item of value) visit(item, depth + 1, found);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { url, title, snippet } = value as Record<string, unknown>;
  if (typeof url === 'string' && /^https?:\/\//.test(url) && !found.has(url)) {
    found.set(url, {
      url,
      ...(typeof title === 'string' && { title }),
      ...(typeof snippet === 'string' && { snippet }),
    });
  }
  for (const inner of Object.values(value)) visit(inner, depth + 1, found);
}
