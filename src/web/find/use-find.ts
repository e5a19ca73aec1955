import { type RefObject, useEffect, useRef, useState } from 'react';
import type { SearchHit } from '#shared/api.ts';
import { activePath } from '#shared/message.ts';
import { topicsApi } from '../api/topics-api.ts';
import { reveal } from '../conversation/reveal.ts';
import { loadBackTo, useConversation } from '../state/conversation.ts';
import { showFailure } from '../state/notices.ts';
import { FoundMarks } from './highlight.ts';

/** The host gives so many at most. */
const most = 200;

interface Find {
  /** Null until the host has answered for the present query. */
  hits: SearchHit[] | null;
  /** There may be more than were given. */
  hasMore: boolean;
  index: number;
  /** Goes to an earlier (1) or a later (-1) find. */
  step: (by: 1 | -1) => void;
}

/** Finds words in the whole open topic, the newest first, and goes from one place to the next. */
export function useFind(topicId: string, query: string, scroller: RefObject<Element | null>): Find {
  const hits = useHits(topicId, query);
  const [index, setIndex] = useState(0);
  const marks = useRef<FoundMarks | null>(null);
  const walk = useRef({ at: 0, end: new AbortController() });
  const go = async (from: number, by: 1 | -1) => {
    walk.current.end.abort();
    walk.current.end = new AbortController();
    const { signal } = walk.current.end;
    const count = hits?.length ?? 0;
    for (let tried = 0; tried < count; tried += 1) {
      const next = (from + tried * by + count) % count;
      // Known at once, so that the next key press goes on from here.
      walk.current.at = next;
      const block = await bring(scroller.current, hits?.[next], signal);
      if (signal.aborted) return;
      if (!block) continue;
      setIndex(next);
      marks.current?.show(block);
      return;
    }
  };
  useEffect(() => {
    if (!scroller.current || query === '') return;
    const own = new FoundMarks(scroller.current, query);
    marks.current = own;
    const { current: ways } = walk;
    return () => {
      ways.end.abort();
      own.close();
    };
  }, [query, scroller]);
  useEffect(() => {
    setIndex(0);
    if (hits?.length) go(0, 1).catch(showFailure);
    // A new answer of the host is what begins a walk, nothing else.
  }, [hits]);
  const step = (by: 1 | -1) => void go(walk.current.at + by, by).catch(showFailure);
  return { hits, hasMore: hits?.length === most, index, step };
}

/** Asks shortly after the last key press. */
function useHits(topicId: string, query: string): SearchHit[] | null {
  const [found, setFound] = useState<{ query: string; hits: SearchHit[] } | null>(null);
  useEffect(() => {
    if (query === '') return;
    const asked = new AbortController();
    const timer = setTimeout(() => {
      topicsApi.find(topicId, query, asked.signal).then(
        ({ hits }) => setFound({ query, hits: onePerBlock(hits) }),
        (error: unknown) => asked.signal.aborted || showFailure(error),
      );
    }, 180);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [topicId, query]);
  return found?.query === query ? found.hits : null;
}

/** A long block is indexed in pieces. */
function onePerBlock(hits: SearchHit[]): SearchHit[] {
  return [...new Map(hits.map((hit) => [hit.blockId, hit])).values()];
}

/** The block of a find, drawn and in sight; null if it is not on the shown branch. */
async function bring(
  scroller: Element | null,
  hit: SearchHit | undefined,
  signal: AbortSignal,
): Promise<Element | null> {
  if (!scroller || !hit?.messageId || !hit.blockId) return null;
  if (!(await loadBackTo(hit.messageId, hit.blockId))) return null;
  const { conversation } = useConversation.getState();
  const path = conversation ? activePath(conversation) : [];
  const message = path.find(({ id }) => id === hit.messageId);
  const block = message?.blocks.find(({ id }) => id === hit.blockId);
  if (!block) return null;
  return reveal(scroller, { messageId: hit.messageId, ordinal: block.ordinal }, signal);
}
