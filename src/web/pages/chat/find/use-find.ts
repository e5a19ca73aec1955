import { type RefObject, useEffect, useRef, useState } from 'react';
import type { SearchHit } from '#shared/api/api.ts';
import { Rereading } from '#shared/async/rereading.ts';
import { type Conversation, isMessageOpen } from '#shared/vocabulary/message.ts';
import { useConversation } from '../../../state/chat/conversation.ts';
import { api } from '../../../state/session/api.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { FindWalk } from './find-walk.ts';

/** The host gives so many at most. */
const most = 200;

/** What was found, and the way through it. */
export interface Find {
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
    const left = new AbortController();
    keepFinding(topicId, query, left.signal, (hits) => {
      const blocks = onePerBlock(hits);
      setFound(({ query: before, index }) => ({
        query,
        count: blocks.length,
        hasMore: hits.length === most,
        index: before === query ? index : 0,
      }));
      own.take(blocks).catch(showFailure);
    });
    return () => {
      left.abort();
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

/** Asks the host shortly after the last key press, and again whenever there is something else to find. */
function keepFinding(
  topicId: string,
  query: string,
  signal: AbortSignal,
  onHits: (hits: SearchHit[]) => void,
): void {
  const reading = new Rereading(async () => {
    const { hits } = await api.topics.find(topicId, query, signal);
    if (!signal.aborted) onHits(hits);
  });
  const ask = () => {
    reading.load().catch((error: unknown) => signal.aborted || showFailure(error));
  };
  const timer = setTimeout(() => {
    ask();
    signal.addEventListener('abort', followTexts(ask));
  }, 180);
  signal.addEventListener('abort', () => clearTimeout(timer));
}

/** Calls back when there are other texts to find: something was asked, answered, translated or deleted. */
function followTexts(onNews: () => void): () => void {
  return useConversation.subscribe(({ conversation: now }, { conversation: before }) => {
    if (now !== before && textsOf(now) !== textsOf(before)) onNews();
  });
}

function textsOf(conversation: Conversation | null): string {
  const { messages = [] } = conversation ?? {};
  return `${messages.at(-1)?.id} ${messages.filter(isMessageOpen).length}`;
}

/** A long block is indexed in pieces. */
function onePerBlock(hits: SearchHit[]): SearchHit[] {
  return [...new Map(hits.map((hit) => [hit.blockId, hit])).values()];
}
