import { getSetting, setSetting } from '#store/settings.ts';
import type { Db } from '#store/store.ts';

/** What is switched off: whole providers by their ids, and models of a provider by theirs. */
export interface ProviderMarks {
  off: readonly string[];
  hidden: Readonly<Record<string, readonly string[]>>;
}

const offKey = 'providers-off';
const hiddenKey = 'models-hidden';

/** What an owner of providers switched off. */
export async function readMarks(db: Db, owner: string): Promise<ProviderMarks> {
  const off = ((await getSetting(db, owner, offKey)) as string[] | undefined) ?? [];
  const hidden = (await getSetting(db, owner, hiddenKey)) as ProviderMarks['hidden'] | undefined;
  return { off, hidden: hidden ?? {} };
}

/** What several of them did; the ids of providers are nobody else's. */
export function joinMarks(all: ProviderMarks[]): ProviderMarks {
  return {
    off: all.flatMap(({ off }) => off),
    hidden: Object.assign({}, ...all.map(({ hidden }) => hidden)),
  };
}

/** How a provider is marked. */
export function marksOf(
  { off, hidden }: ProviderMarks,
  id: string,
): { enabled: boolean; hidden: string[] } {
  return { enabled: !off.includes(id), hidden: [...(hidden[id] ?? [])] };
}

/** Switches a provider on or off. */
export async function switchProvider(
  db: Db,
  owner: string,
  id: string,
  on: boolean,
): Promise<void> {
  const others = (await readMarks(db, owner)).off.filter((entry) => entry !== id);
  await setSetting(db, owner, offKey, on ? others : [...others, id]);
}

/** Keeps exactly these models of a provider out of the pickers. */
export async function hideModels(
  db: Db,
  owner: string,
  id: string,
  models: readonly string[],
): Promise<void> {
  const { [id]: _, ...others } = (await readMarks(db, owner)).hidden;
  await setSetting(db, owner, hiddenKey, models.length > 0 ? { ...others, [id]: models } : others);
}
