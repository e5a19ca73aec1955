import type { Citation } from '#shared/block.ts';
import { fieldsOf, textOf } from './event-data.ts';

type Source = Omit<Citation, 'number'>;

/** The sources that Google says an answer rests on, in the order it gives them. */
export function findGoogleSources(groundingMetadata: unknown): Source[] {
  const { groundingChunks } = fieldsOf(groundingMetadata);
  if (!Array.isArray(groundingChunks)) return [];
  return groundingChunks.slice(0, maxSources).flatMap((chunk) => {
    const source = toSource(chunk);
    return source ? [source] : [];
  });
}

const maxSources = 200;

/** A source is a page, the page of an image, a place on a map, or a document of a search store. */
function toSource(value: unknown): Source | undefined {
  const { web, image, maps, retrievedContext } = fieldsOf(value);
  const found = fieldsOf(web ?? image ?? maps ?? retrievedContext);
  const url = textOf(found['uri']) || textOf(found['sourceUri']);
  const title = textOf(found['title']);
  const snippet = retrievedContext === undefined ? '' : textOf(found['text']);
  const isPage = /^https?:\/\//.test(url);
  if (!isPage && title === '') return undefined;
  return {
    ...(isPage && { url }),
    ...(title !== '' && { title }),
    ...(snippet !== '' && { snippet }),
  };
}
