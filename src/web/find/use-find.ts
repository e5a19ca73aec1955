import { type RefObject, useEffect, useRef, useState } from 'react';
import type { SearchHit } from '#shared/api.ts';
import { topicsApi } from '../api/topics-api.ts';
import { showFailure } from '../state/notices.ts';
import { FindWalk } from './find-walk.ts';

/** The host gives so many at most. */
const most = 200;

interface Find {
  /** How many blocks hold the words; null until the host has answered for the present query. */
  count: number | null;
  /** There may be more than were given. */
  hasMore: boolean;
  index: number;
  /** Goes to an earlier (1) or a later (-1) find. */
  step: (by: 1 | -1) => void;
}

const nothing = { query: '', count: 0, hasMore: false, index: 0 };

/** Finds words in the whole open topic, the newest first, and goes from one place to the next. */
export function useFind(topicId: string, query: string, scroller: RefObject<Element | null>): Find {
  const [found, setFound] = useState(nothing);
  const walk = useRef<FindWalk | null>(null);
  useEffect(() => {
    if (!scroller.current || query === '') return;
    const onArrive = (index: number) => setFound((present) => ({ ...present, index }));
    const own = new FindWalk(scroller.current, query, onArrive);
    walk.current = own;
    const asked = new AbortController();
    const ask = async () => {
      const { hits } = await topicsApi.find(topicId, query, asked.signal);
      const blocks = onePerBlock(hits);
      setFound({ query, count: blocks.length, hasMore: hits.length === most, index: 0 });
      await own.begin(blocks);
    };
    // Shortly after the last key press.
    const timer = setTimeout(() => {
      ask().catch((error: unknown) => asked.signal.aborted || showFailure(error));
    }, 180);
    return () => {
      clearTimeout(timer);
      asked.abort();
      own.close();
      walk.current = null;
    };
  }, [topicId, query, scroller]);
  const isPresent = found.query === query;
  return {
    ...found,
    count: isPresent ? found.count : null,
    step: (by) => void walk.current?.step(by).catch(showFailure),
  };
}

/** A long block is indexed in pieces. */
function onePerBlock(hits: SearchHit[]): SearchHit[] {
  return [...new Map(hits.map((hit) => [hit.blockId, hit])).values()];
}
