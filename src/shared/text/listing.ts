/** A list of names as it is to be, or what goes into it (true) and out of it: names that are not said stay. */
export type Listing = readonly string[] | Readonly<Record<string, boolean>>;

/** The list after that; a name that comes in is the last. */
export function listed(present: readonly string[], change: Listing): string[] {
  if (isWhole(change)) return [...change];
  const added = Object.keys(change).filter((name) => change[name]);
  return [...new Set([...present, ...added])].filter((name) => change[name] !== false);
}

function isWhole(change: Listing): change is readonly string[] {
  return Array.isArray(change);
}
