import { createContext, type ReactElement, useContext } from 'react';
import type { Block, Citation } from '#shared/vocabulary/block.ts';
import type { CitationMark } from './citation-marks.ts';
import { SourceCard } from './source-card.tsx';

/** The sources of an answer by their numbers. */
export type Sources = ReadonlyMap<number, Citation>;

/** The sources that marks in a text point to. Marks change with them; the text is not read again. */
export const SourcesContext = createContext<Sources>(new Map());

/** A function that gives the same sources until another citation block comes or changes. */
export function createSourceIndex(): (blocks: readonly Block[]) => Sources {
  let known: Block[] = [];
  let sources: Sources = new Map();
  return (blocks) => {
    const lists = blocks.filter((block) => block.type === 'citation');
    if (lists.length === known.length && lists.every((list, at) => list === known[at]))
      return sources;
    known = lists;
    const citations = lists.flatMap((list) => list.citations);
    sources = new Map(citations.map((citation) => [citation.number, citation]));
    return sources;
  };
}

/** A mark as small numbered links to its sources; what points to none stays text. */
export function SourceMark({ mark }: { mark: CitationMark }): ReactElement {
  const sources = useContext(SourcesContext);
  if (!mark.numbers.some((number) => sources.has(number))) return <>{mark.raw}</>;
  return (
    <>
      {mark.numbers.map((number) => {
        const source = sources.get(number);
        return source ? <SourceNumber key={number} source={source} /> : `[${number}]`;
      })}
    </>
  );
}

const look =
  'mx-px inline-block min-w-[1.3em] rounded-[0.35em] bg-accent-soft px-[0.35em] text-center align-[0.3em] text-[0.6875em] leading-[1.4] font-semibold text-accent-text no-underline tabular-nums';

function SourceNumber({ source }: { source: Citation }) {
  return (
    <SourceCard
      source={source}
      label={`${source.number}: ${source.title ?? source.url ?? ''}`}
      className={`${look} hover:bg-accent hover:text-accent-ink`}
    >
      {source.number}
    </SourceCard>
  );
}
