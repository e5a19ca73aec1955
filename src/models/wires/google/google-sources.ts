import type { Citation } from '#shared/vocabulary/block.ts';
import { fieldsOf, textOf, type Fields } from '../../answers/event-data.ts';

type Source = Omit<Citation, 'number'>;

/**
 * The sources that Google says an answer rests on, in the order it gives them: what was searched for,
 * pages that were read, and works that were quoted.
 */
export function findGoogleSources(candidate: Fields): Source[] {
  const { groundingMetadata, urlContextMetadata, citationMetadata } = candidate;
  if (!groundingMetadata && !urlContextMetadata && !citationMetadata) return noSources;
  const { citations, citationSources } = fieldsOf(citationMetadata);
  return [
    ...listOf(fieldsOf(groundingMetadata)['groundingChunks']).map(toSource),
    ...listOf(fieldsOf(urlContextMetadata)['urlMetadata']).map(toPage),
    ...listOf(citations ?? citationSources).map(toCitation),
  ].filter((source) => source !== undefined);
}

const maxSources = 200;
const noSources: Source[] = [];

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, maxSources) : [];
}

/** A source is a page, the page of an image, a place on a map, or a document of a search store. */
function toSource(value: unknown): Source | undefined {
  const { web, image, maps, retrievedContext } = fieldsOf(value);
  const found = fieldsOf(web ?? image ?? maps ?? retrievedContext);
  const url = textOf(found['uri']) || textOf(found['sourceUri']);
  const title = textOf(found['title']);
  const snippet = retrievedContext === undefined ? '' : textOf(found['text']);
  return sourceOf(url, title, snippet);
}

/** A page that the model was told of; not one that could not be read. */
function toPage(value: unknown): Source | undefined {
  const { retrievedUrl, urlRetrievalStatus } = fieldsOf(value);
  const isRead = !urlRetrievalStatus || textOf(urlRetrievalStatus).endsWith('SUCCESS');
  return isRead ? sourceOf(textOf(retrievedUrl)) : undefined;
}

function toCitation(value: unknown): Source | undefined {
  const { uri, title } = fieldsOf(value);
  return sourceOf(textOf(uri), textOf(title));
}

function sourceOf(url: string, title = '', snippet = ''): Source | undefined {
  const isPage = /^https?:\/\//.test(url);
  if (!isPage && title === '') return undefined;
  return {
    ...(isPage && { url }),
    ...(title !== '' && { title }),
    ...(snippet !== '' && { snippet }),
  };
}
