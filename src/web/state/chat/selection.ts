import { create } from 'zustand';

interface SelectionState {
  /** Ids of topics; rows show boxes while there is any. */
  selected: ReadonlySet<string>;
  /** The one that a range begins at. */
  anchor: string | null;
}

/** The topics that the reader has selected to do something with. */
export const useSelection = create<SelectionState>(() => ({ selected: new Set(), anchor: null }));

const { setState: set, getState: get } = useSelection;

/** Selects a topic, or no longer. */
export function toggleSelected(id: string): void {
  const selected = new Set(get().selected);
  if (!selected.delete(id)) selected.add(id);
  set({ selected, anchor: id });
}

/** Selects everything from where the last one was selected to here, in the order of the list. */
export function selectRange(id: string, order: readonly string[]): void {
  const from = order.indexOf(get().anchor ?? id);
  const to = order.indexOf(id);
  if (from === -1 || to === -1) return toggleSelected(id);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  set({ selected: new Set([...get().selected, ...range]) });
}

/** Selects these and no others. */
export function selectOnly(ids: readonly string[]): void {
  set({ selected: new Set(ids), anchor: ids.at(-1) ?? null });
}

export function clearSelection(): void {
  selectOnly([]);
}
