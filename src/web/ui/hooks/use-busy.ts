import { useState } from 'react';
import { showFailure } from '../notices/notices.ts';

/** Whether something is being done, and the way to do it: why it failed is told at the edge of the page. */
export function useBusy(): [busy: boolean, act: (work: () => Promise<unknown>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return [busy, act];
}
