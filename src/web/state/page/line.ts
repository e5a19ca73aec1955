import { create } from 'zustand';

/** Whether the line to the host is up; while it is down, what is shown may be behind. */
export const useLine = create<{ live: boolean }>(() => ({ live: true }));

/** Resolves when the line is up, at once where it is. */
export function lineIsBack(): Promise<void> {
  if (useLine.getState().live) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = useLine.subscribe(({ live }) => {
      if (!live) return;
      stop();
      resolve();
    });
  });
}
