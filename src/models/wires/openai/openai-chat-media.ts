import type { Citation } from '#shared/vocabulary/block.ts';
import { fieldsOf, textOf, type Fields } from '../../answers/event-data.ts';
import { findCitations } from '../../answers/provider-search.ts';

type Source = Omit<Citation, 'number'>;
type ChatImage = { mimeType: string; data: string } | { url: string };

const maxSources = 100;

/**
 * The sources in a delta or beside the choices: `annotations` of OpenAI and OpenRouter,
 * `search_results` and `citations` of Perplexity and xAI, `web_search` of Z.ai, `references` of Ark,
 * `search_info` of Hunyuan and `executed_tools` of Groq.
 */
export function chatSources(event: Fields): Source[] {
  const { annotations, search_results, citations, web_search, references } = event;
  const { search_info, executed_tools } = event;
  const listed = search_results ?? web_search ?? references ?? search_info ?? executed_tools;
  if (!annotations && !listed && !citations) return noSources;
  const found: Source[] = [];
  for (const annotation of listOf(annotations)) {
    const fields = fieldsOf(annotation);
    addSource(found, fields['url_citation'] ?? fields);
  }
  const inside = search_info ? fieldsOf(search_info)['search_results'] : undefined;
  for (const list of [search_results, web_search, references, inside]) {
    for (const result of listOf(list)) addSource(found, result);
  }
  if (executed_tools) found.push(...findCitations(executed_tools));
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
  const { link, url = link, title, content, snippet } = fieldsOf(value);
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
