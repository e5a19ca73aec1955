import { create } from 'zustand';

/** Whether the line to the host is up; while it is down, what is shown may be behind. */
export const useLine = create<{ live: boolean }>(() => ({ live: true }));
