import { create } from 'zustand';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';

/** A short text at the edge of the page. */
export interface Notice {
  id: number;
  /** A sentence in the reader's language, or a failure that is yet to be told in it. */
  told: string | ErrorInfo;
  /** Takes back what it tells of. */
  undo?: () => void;
}

let nextId = 1;

/** Short notices at the edge of the page. */
export const useNotices = create<{ notices: Notice[] }>(() => ({ notices: [] }));

/** Takes a notice away. */
export function dismissNotice(id: number): void {
  holdNotice(id);
  useNotices.setState(({ notices }) => ({ notices: notices.filter((one) => one.id !== id) }));
}

/** Tells the reader that something they asked for failed. */
export function showFailure(error: unknown): void {
  const info = toErrorInfo(error);
  if (info.code !== 'cancelled' && info.code !== 'unauthenticated') show(info);
}

/** Shows a sentence at the edge of the page for a while. */
export function showNotice(sentence: string): void {
  show(sentence);
}

/** Says what was done, with a way to take it back. */
export function showUndo(sentence: string, undo: () => void): void {
  show(sentence, undo);
}

const shownMs = 8000;
const undoMs = 10_000;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

function show(told: Notice['told'], undo?: () => void): void {
  const id = nextId++;
  useNotices.setState(({ notices }) => ({
    notices: [...notices.slice(-2), { id, told, ...(undo && { undo }) }],
  }));
  releaseNotice(id, undo ? undoMs : shownMs);
}

/** Leaves a notice where it is while somebody is at it. */
export function holdNotice(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

/** Takes a notice away after a while. */
export function releaseNotice(id: number, ms = undoMs): void {
  holdNotice(id);
  timers.set(
    id,
    setTimeout(() => dismissNotice(id), ms),
  );
}
