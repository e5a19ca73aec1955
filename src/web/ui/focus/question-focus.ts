import { type RefObject, useEffect } from 'react';

/** Marks what waits for a person, so that the keyboard can go from one to the next. */
export const askingMark = { 'data-asking': '' };

/**
 * Gives a new question the focus, but never takes it from anything: whoever types goes on typing. The
 * question as a whole gets it, so that a key that was meant for something else decides nothing.
 */
export function usePoliteFocus(question: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const held = document.activeElement;
    if (held === null || held === document.body) question.current?.focus({ preventScroll: true });
  }, [question]);
}

/** Marks the question about a call, so that it can be found. */
export const callMark = (toolCallId: string) => ({ 'data-call': toolCallId });

/** Goes to the question about a call, wherever it stands in the page. */
export function goToCall(toolCallId: string | undefined): void {
  const asking = [...document.querySelectorAll<HTMLElement>('[data-call]')];
  asking.find(({ dataset }) => dataset.call === toolCallId)?.focus();
}

/** Goes to the next question after the one that has the focus; false if there is none. */
export function focusNextAsking(): boolean {
  const asking = [...document.querySelectorAll<HTMLElement>('[data-asking]')];
  const at = asking.findIndex((each) => each.contains(document.activeElement));
  const next = asking[at + 1] ?? asking[0];
  next?.focus();
  return next !== undefined;
}

/**
 * Call it before a question is answered, and what it gives afterwards: who had the focus in it goes to
 * the next question, or back to where messages are written. Whoever went elsewhere meanwhile stays there.
 */
export function focusAfter(question: HTMLElement | null): () => void {
  const had = question?.contains(document.activeElement) === true;
  return () => {
    const held = document.activeElement;
    const lost = held === null || held === document.body || question?.contains(held) === true;
    if (!had || !lost) return;
    const others = [...document.querySelectorAll<HTMLElement>('[data-asking]')];
    const next = others.find((each) => each !== question);
    const composer = document.querySelector<HTMLElement>('[data-testid="composer"]');
    (next ?? composer)?.focus({ preventScroll: next === undefined });
  };
}
