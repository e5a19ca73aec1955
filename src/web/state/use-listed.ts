import { useWish } from './use-wish.ts';

/** What a person puts into a list (true) or takes out of it, by name. */
type Listing = Readonly<Record<string, boolean>>;

const nothing: Listing = {};

/** A list that the host keeps as a whole. */
interface ListPlace {
  read: () => Promise<readonly string[]>;
  /** Resolves when the list that is shown is current. */
  write: (names: string[]) => Promise<unknown>;
}

/**
 * Names in a list, each switched by itself: what shows is what is wanted, and what is written is the list
 * as it is by then with these names in or out, so that nothing is undone that was switched elsewhere.
 */
export function useListed(
  held: readonly string[],
  { read, write }: ListPlace,
): [listed: ReadonlySet<string>, list: (names: string[], isIn: boolean) => void] {
  const [wanted, wish] = useWish(nothing, async (listing) => write(listed(await read(), listing)));
  const list = (names: string[], isIn: boolean) =>
    wish({ ...wanted, ...Object.fromEntries(names.map((name) => [name, isIn])) });
  return [new Set(listed(held, wanted)), list];
}

function listed(names: readonly string[], listing: Listing): string[] {
  const added = Object.keys(listing).filter((name) => listing[name]);
  return [...new Set([...names, ...added])].filter((name) => listing[name] !== false);
}
