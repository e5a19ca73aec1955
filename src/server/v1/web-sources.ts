import type { CitationBlock } from '#shared/vocabulary/block.ts';

/** Web sources in the format of OpenAI; their place in the text is not known. */
export function webSources({ citations }: CitationBlock): object[] {
  return citations.flatMap(({ url, title = '' }) =>
    url === undefined ? [] : [{ url, title, start_index: 0, end_index: 0 }],
  );
}
