import { truncate } from '#shared/text/text.ts';
import type { Citation } from '#shared/vocabulary/block.ts';

type Source = Omit<Citation, 'number'>;

const maxSources = 100;
const maxNodes = 20_000;
const deepest = 4;

/**
 * The sources in the result of a tool that the vendor ran itself. Vendors differ in where they put
 * them, so every object with a web address counts, in the order found, each address once.
 */
export function findCitations(result: unknown): Source[] {
  const found = { sources: new Map<string, Source>(), nodes: 0 };
  visit(result, 0, found);
  return [...found.sources.values()];
}

interface Collection {
  sources: Map<string, Source>;
  nodes: number;
}

function visit(value: unknown, depth: number, found: Collection): void {
  if (typeof value !== 'object' || value === null || depth > deepest) return;
  if (!Array.isArray(value)) noteSource(value, found);
  for (const inner of Object.values(value)) {
    found.nodes += 1;
    if (found.nodes > maxNodes || found.sources.size >= maxSources) return;
    visit(inner, depth + 1, found);
  }
}

function noteSource(value: object, { sources }: Collection): void {
  const { url, title, snippet, content } = value as Record<string, unknown>;
  if (typeof url !== 'string' || !isWebAddress(url) || sources.has(url)) return;
  const text = snippet ?? content;
  sources.set(url, {
    url,
    ...(typeof title === 'string' && { title }),
    ...(typeof text === 'string' && { snippet: text }),
  });
}

/**
 * Sources as they may be shown: bounded, each address once, none that a browser should not open. A
 * vendor passes on what strangers wrote.
 */
export function tidySources(sources: readonly Source[]): Source[] {
  const tidy = new Map<string, Source>();
  for (const source of sources) {
    if (tidy.size >= maxSources) break;
    const url = source.url !== undefined && isWebAddress(source.url) ? source.url : undefined;
    const title = oneLine(source.title, 300);
    const snippet = oneLine(source.snippet, 500);
    const key = url ?? title;
    if (key === '' || tidy.has(key)) continue;
    tidy.set(key, {
      ...(url !== undefined && { url }),
      ...(title !== '' && { title }),
      ...(snippet !== '' && { snippet }),
    });
  }
  return [...tidy.values()];
}

function isWebAddress(url: string): boolean {
  return url.length <= 4096 && /^https?:\/\/\S+$/i.test(url) && URL.canParse(url);
}

function oneLine(text: string | undefined, most: number): string {
  if (text === undefined) return '';
  return truncate(
    text
      .slice(0, 4 * most)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    most,
  );
}
