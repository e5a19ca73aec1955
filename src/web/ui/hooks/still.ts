import { useLayoutEffect } from 'react';
import { create } from 'zustand';

/** So long must questions stand where they are before a click on one is meant for it. */
const pause = 500;

const useMoves = create<{ still: boolean }>(() => ({ still: true }));
let timer: ReturnType<typeof setTimeout> | undefined;

function move(): void {
  clearTimeout(timer);
  useMoves.setState({ still: false });
  timer = setTimeout(() => useMoves.setState({ still: true }), pause);
}

/**
 * Whether what waits for a person stands still: nothing came, went or became something else in the last
 * moment. Until then a click may have been meant for what stood in its place. `shown` says what there
 * is to decide.
 */
export function useStill(shown: string): boolean {
  useLayoutEffect(() => {
    move();
    return move;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- it says when there is something else
  }, [shown]);
  return useMoves(({ still }) => still);
}
