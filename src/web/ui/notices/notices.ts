import { create } from 'zustand';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';

interface Notice {
  id: number;
  /** A sentence in the reader's language, or a failure that is yet to be told in it. */
  told: string | ErrorInfo;
}

let nextId = 1;

/** Short notices at the edge of the page. */
export const useNotices = create<{ notices: Notice[] }>(() => ({ notices: [] }));

/** Takes a notice away. */
export function dismissNotice(id: number): void {
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

function show(told: Notice['told']): void {
  const id = nextId++;
  useNotices.setState(({ notices }) => ({
    notices: [...notices.slice(-2), { id, told }],
  }));
  setTimeout(() => dismissNotice(id), 8000);
}
