import { useState } from 'react';
import { showFailure } from '../notices/notices.ts';
import { LatestWish } from './latest-wish.ts';

/**
 * Something a person switches: the newest wish shows at once, whatever the host takes for it, and what
 * holds shows again when that was written or refused. `write` resolves when `held` is current; it is the
 * one of the first time, so it must not depend on what changes.
 */
export function useWish<T>(
  held: T,
  write: (wanted: T) => Promise<unknown>,
): [wanted: T, wish: (next: T) => void] {
  const [wished, setWished] = useState<{ value: T }>();
  const [wishes] = useState(() => new LatestWish(held, write));
  const wish = (value: T) => {
    const next = { value };
    setWished(next);
    wishes
      .wish(value)
      .catch(showFailure)
      .finally(() => setWished((now) => (now === next ? undefined : now)));
  };
  return [wished ? wished.value : held, wish];
}
