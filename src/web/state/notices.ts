import { create } from 'zustand';
import { toErrorInfo } from '#shared/errors.ts';

interface Notice {
  id: number;
  message: string;
  hint?: string;
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
  const { code, message, hint } = toErrorInfo(error);
  if (code === 'cancelled' || code === 'unauthenticated') return;
  showNotice(message, hint);
}

/** Shows a sentence at the edge of the page for a while. */
export function showNotice(message: string, hint?: string): void {
  const id = nextId++;
  useNotices.setState(({ notices }) => ({
    notices: [...notices.slice(-2), { id, message, ...(hint && { hint }) }],
  }));
  setTimeout(() => dismissNotice(id), 8000);
}
