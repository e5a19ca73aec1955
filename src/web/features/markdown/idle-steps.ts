/** How long to wait when somebody needs the page, in milliseconds. */
const pauseMs = 1000;

interface IdleSteps {
  /** How many there are. */
  count: number;
  /** Does one; each has a moment of its own. */
  run: (index: number) => void;
  /** Whether the page is needed: then the next step waits. */
  isBusy: () => boolean;
}

/** Does small steps, one after the other, while the page is idle; resolves after the last one. */
export function runWhenIdle({ count, run, isBusy }: IdleSteps): Promise<void> {
  return new Promise((resolve, reject) => {
    let index = 0;
    let isWaiting = false;
    // All at once, since one that is asked for by another has to wait for the next idle period.
    const goOn = () => {
      isWaiting = false;
      for (let left = count - index; left > 0; left -= 1) requestIdleCallback(next);
    };
    const next = () => {
      if (isWaiting || index === count) return;
      if (isBusy()) {
        isWaiting = true;
        setTimeout(goOn, pauseMs);
        return;
      }
      index += 1;
      try {
        run(index - 1);
      } catch (error) {
        index = count;
        reject(error);
      }
      if (index === count) resolve();
    };
    goOn();
  });
}
