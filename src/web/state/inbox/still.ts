import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import { readLimits, useLimits } from '../session/limits.ts';

const useMoves = create<{ still: boolean }>(() => ({ still: true }));
let timer: ReturnType<typeof setTimeout> | undefined;

function move(): void {
  clearTimeout(timer);
  useMoves.setState({ still: false });
  timer = setTimeout(() => useMoves.setState({ still: true }), readLimits().decisionPause);
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
  const { decisionPause } = useLimits();
  const still = useMoves((state) => state.still);
  // Where there is no pause, one that began before the host had told so holds nothing back.
  return still || decisionPause === 0;
}
