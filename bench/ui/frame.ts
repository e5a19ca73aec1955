import { type ComponentType, createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { type AnswerKind, makeAnswer, updatesOf } from './answer.ts';

/** What a contestant shows: a text that grows. */
export type Answer = ComponentType<{ text: string; growing: boolean }>;

/** What one run measured inside of the page, in milliseconds. */
export interface Run {
  longest: number;
  shown: number;
}

/** Makes the page of a contestant: `play(bytes, updates, kind)` shows an answer, one update a frame. */
export function startPage(answer: Answer): void {
  const place = document.querySelector('#root');
  if (!place) throw new Error('The page has no place for the answer.');
  const root = createRoot(place);
  const play = async (bytes: number, count: number, kind: AnswerKind): Promise<Run> => {
    let longest = 0;
    const updates = updatesOf(makeAnswer(bytes, kind), count);
    for (const [index, text] of updates.entries()) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const start = performance.now();
      flushSync(() => root.render(createElement(answer, { text, growing: index < count - 1 })));
      longest = Math.max(longest, performance.now() - start);
    }
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return { longest, shown: place.textContent.length };
  };
  Object.assign(globalThis, { play });
}
