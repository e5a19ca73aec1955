import { listed } from '#shared/text/listing.ts';
import { useWish } from './use-wish.ts';

type Switched = Readonly<Record<string, boolean>>;

const nothing: Switched = {};

/**
 * Names in a list of the host, each switched by itself: what shows is what is wanted, and only what was
 * switched is written, so that nothing is undone that was switched elsewhere. `write` resolves when the
 * list that is shown is current.
 */
export function useListed(
  held: readonly string[],
  write: (switched: Switched) => Promise<unknown>,
): [listed: ReadonlySet<string>, list: (names: string[], isIn: boolean) => void] {
  const [wanted, wish] = useWish(nothing, write);
  const list = (names: string[], isIn: boolean) =>
    wish({ ...wanted, ...Object.fromEntries(names.map((name) => [name, isIn])) });
  return [new Set(listed(held, wanted)), list];
}
