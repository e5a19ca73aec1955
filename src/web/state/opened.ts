import { firstSight, type Unseen } from '../ui/first-sight.ts';
import { create } from 'zustand';

/**
 * What a person has opened to see all of it, by the id of the call or the question. Losing it costs a
 * look, so it is kept nowhere.
 */
export const useOpened = create<{ opened: ReadonlySet<string> }>(() => ({ opened: new Set() }));

/** What of these texts is not drawn; undefined where all of it is. */
export function useUnseenTexts(id: string, texts: readonly string[]): Unseen | undefined {
  const opened = useOpened((state) => state.opened.has(id));
  return opened ? undefined : firstSight(texts).rest;
}

/** Shows everything there is to see of these. */
export function openWhole(ids: readonly string[]): void {
  useOpened.setState(({ opened }) => ({ opened: new Set([...opened, ...ids]) }));
}
