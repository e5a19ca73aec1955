import { setTimeout as delay } from 'node:timers/promises';

const checkMs = 3000;

/** Waits for an attempt. One that installs takes minutes and goes on without whoever asked for it. */
export async function unlessInstalling(
  attempt: Promise<unknown>,
  state: () => string,
): Promise<void> {
  const done = attempt.then(() => true);
  while (!(await Promise.race([done, delay(checkMs, false)]))) {
    if (state() !== 'installing') continue;
    // What comes of it is in the state.
    done.catch(() => undefined);
    return;
  }
}
