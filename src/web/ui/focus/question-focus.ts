import { type RefObject, useEffect } from 'react';

/** Marks what waits for a person, so that the keyboard can go from one to the next. */
export const askingMark = { 'data-asking': '' };

/**
 * Gives a new question the focus, but never takes it from who types. The question as a whole gets it, so
 * that a key that was meant for something else decides nothing; a form gives it to its first field.
 */
export function usePoliteFocus(question: RefObject<HTMLElement | null>, isForm = false): void {
  useEffect(() => {
    const { activeElement: held, body } = document;
    const isFree = held === null || held === body;
    if (isForm && (isFree || isEmptyComposer(held)) && focusFirst(question.current)) return;
    if (isFree) question.current?.focus({ preventScroll: true });
  }, [question, isForm]);
}

/** Goes to the first field of a form that was just opened, if the focus is still at what opened it. */
export function useOpenedFocus(form: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const opener = form.current?.closest('[data-asking], [data-opener]');
    if (opener?.contains(document.activeElement)) focusFirst(form.current);
  }, [form]);
}

/** Marks what holds a form together with the button that opens it, where that is no question. */
export const openerMark = { 'data-opener': '' };

/** Marks a form, which is read from its beginning: a chat that follows its end stops there. */
export const formMark = { 'data-form': '' };

/** False where there is no field, and on a phone, where the keyboard would hide the form. */
function focusFirst(form: HTMLElement | null): boolean {
  const field = form?.querySelector<HTMLElement>('[data-pointer], input, textarea, select');
  if (!field || !matchMedia('(pointer: fine)').matches) return false;
  field.focus({ preventScroll: true });
  return true;
}

function isEmptyComposer(held: Element): boolean {
  const isComposer = held.matches('[data-testid="composer"]');
  return isComposer && held instanceof HTMLTextAreaElement && held.value === '';
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
