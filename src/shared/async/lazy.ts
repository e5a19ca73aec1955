/** Makes a value when it is first asked for, and once: for what is dear to make and often not needed. */
export function lazy<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
