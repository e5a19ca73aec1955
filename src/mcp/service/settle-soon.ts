/** How long to wait for the slow ones; times are milliseconds. */
export interface Patience {
  /** Everybody gets this much time. */
  least: number;
  /** After that, waiting ends when nobody came for this long. */
  quiet: number;
  most: number;
}

/**
 * Waits for all, but not for those who may never come: the slowest of those that keep coming decides.
 * Undefined stands where one did not come in time. The promises must not reject.
 */
export async function settleSoon<T>(
  promises: readonly Promise<T>[],
  { least, quiet, most }: Patience,
): Promise<(T | undefined)[]> {
  const found: (T | undefined)[] = promises.map(() => undefined);
  const enough = Promise.withResolvers<void>();
  const startedAt = Date.now();
  let missing = promises.length;
  if (missing === 0) return found;
  let timer = setTimeout(enough.resolve, least);
  const wait = (): void => {
    const spent = Date.now() - startedAt;
    clearTimeout(timer);
    timer = setTimeout(enough.resolve, Math.min(Math.max(least - spent, quiet), most - spent));
  };
  for (const [at, promise] of promises.entries()) {
    void promise.then((value) => {
      found[at] = value;
      missing -= 1;
      if (missing === 0) enough.resolve();
      else wait();
    });
  }
  await enough.promise;
  clearTimeout(timer);
  return [...found];
}
