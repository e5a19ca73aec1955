import type { Citation } from '#shared/block.ts';
import { fieldsOf, textOf, type Fields } from './event-data.ts';

type Source = Omit<Citation, 'number'>;
type ChatImage = { mimeType: string; data: string } | { url: string };

const maxSources = 100;

/** The sources in a delta (`annotations`) or beside the choices (`search_results`, `citations`). */
export function chatSources({ annotations, search_results, citations }: Fields): Source[] {
  if (!annotations && !search_results && !citations) return noSources;
  const found: Source[] = [];
  for (const annotation of listOf(annotations)) {
    const fields = fieldsOf(annotation);
    addSource(found, fields['url_citation'] ?? fields);
  }
  for (const result of listOf(search_results)) addSource(found, result);
  for (const url of listOf(citations)) addSource(found, typeof url === 'string' ? { url } : url);
  return found;
}

/** The pictures in a delta, as OpenRouter sends them. */
export function chatImages(images: unknown): ChatImage[] {
  return listOf(images).flatMap((image): ChatImage[] => {
    const address = fieldsOf(image)['image_url'];
    const url = typeof address === 'string' ? address : textOf(fieldsOf(address)['url']);
    const inline = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,]*)?;base64,/.exec(url.slice(0, 200));
    if (inline) return [{ mimeType: inline[1] ?? '', data: url.slice(inline[0].length) }];
    return /^https?:\/\//.test(url) ? [{ url }] : [];
  });
}

function addSource(found: Source[], value: unknown): void {
  const { url, title, content, snippet } = fieldsOf(value);
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || found.length >= maxSources) return;
  const text = textOf(snippet) || textOf(content);
  found.push({
    url,
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(text !== '' && { snippet: text.slice(0, 2_000) }),
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

const noSources: Source[] = [];
