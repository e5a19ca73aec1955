/** Runs `work` over pieces of a long list, so that no statement has too many parameters. */
export async function inChunks<T, R>(
  items: readonly T[],
  size: number,
  work: (piece: T[]) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += size) {
    results.push(await work(items.slice(start, start + size)));
  }
  return results;
}
