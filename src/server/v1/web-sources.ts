import type { CitationBlock } from '#shared/vocabulary/block.ts';

/** Sources on the web as OpenAI tells them; where in the text they belong is not known. */
export function webSources({ citations }: CitationBlock): object[] {
  return citations.flatMap(({ url, title = '' }) =>
    url === undefined ? [] : [{ url, title, start_index: 0, end_index: 0 }],
  );
}
