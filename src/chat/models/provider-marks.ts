import { type Listing, listed } from '#shared/text/listing.ts';
import type { ModelPrice, ModelTimes, Provider } from '#shared/vocabulary/model.ts';
import { getSettings, setSetting } from '#store/configuration/settings.ts';
import type { Db } from '#store/database/store.ts';

/**
 * What was said of providers, also of those that nobody configured, by their ids: which are switched off,
 * which of their models are, what these cost and how long their answers are waited for.
 */
export interface ProviderMarks {
  off: readonly string[];
  hidden: Readonly<Record<string, readonly string[]>>;
  prices: Readonly<Record<string, Prices>>;
  times: Readonly<Record<string, ModelTimes>>;
}

type Prices = Readonly<Record<string, ModelPrice>>;

const offKey = 'providers-off';
const hiddenKey = 'models-hidden';
const pricesKey = 'model-prices';
const timesKey = 'model-times';

/** What an owner said of providers. */
export async function readMarks(db: Db, owner: string): Promise<ProviderMarks> {
  const stored = await getSettings(db, owner, [offKey, hiddenKey, pricesKey, timesKey]);
  return {
    off: (stored[offKey] ?? []) as ProviderMarks['off'],
    hidden: (stored[hiddenKey] ?? {}) as ProviderMarks['hidden'],
    prices: (stored[pricesKey] ?? {}) as ProviderMarks['prices'],
    times: (stored[timesKey] ?? {}) as ProviderMarks['times'],
  };
}

/** What several of them did; the ids of providers are nobody else's. */
export function joinMarks(all: ProviderMarks[]): ProviderMarks {
  return {
    off: all.flatMap(({ off }) => off),
    hidden: Object.assign({}, ...all.map(({ hidden }) => hidden)),
    prices: Object.assign({}, ...all.map(({ prices }) => prices)),
    times: Object.assign({}, ...all.map(({ times }) => times)),
  };
}

/** How a provider is marked. */
export function marksOf(
  { off, hidden, prices, times }: ProviderMarks,
  id: string,
): Pick<Provider, 'enabled' | 'hidden' | 'prices' | 'times'> {
  return {
    enabled: !off.includes(id),
    hidden: [...(hidden[id] ?? [])],
    prices: { ...prices[id] },
    times: { ...times[id] },
  };
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

/** Keeps models of a provider out of the pickers. */
export async function hideModels(
  db: Db,
  owner: string,
  id: string,
  change: Listing,
): Promise<void> {
  const { [id]: present = [], ...others } = (await readMarks(db, owner)).hidden;
  const models = listed(present, change);
  await setSetting(db, owner, hiddenKey, models.length > 0 ? { ...others, [id]: models } : others);
}

/** Says what models of a provider cost; null removes a price, those that are not named stay. */
export async function priceModels(
  db: Db,
  owner: string,
  id: string,
  changes: Readonly<Record<string, ModelPrice | null>>,
): Promise<void> {
  const { prices } = await readMarks(db, owner);
  const kept = Object.entries({ ...prices[id], ...changes }).filter(
    (entry): entry is [string, ModelPrice] => entry[1] !== null,
  );
  await setPrices(db, owner, prices, id, Object.fromEntries(kept));
}

/** Says how long answers of a provider are waited for; null goes back to what ships, others stay. */
export async function limitTimes(
  db: Db,
  owner: string,
  id: string,
  changes: { [Key in keyof ModelTimes]?: number | null | undefined },
): Promise<void> {
  const { [id]: present, ...others } = (await readMarks(db, owner)).times;
  const set = Object.entries({ ...present, ...changes }).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  const own = set.length > 0 ? { [id]: Object.fromEntries(set) } : {};
  await setSetting(db, owner, timesKey, { ...others, ...own });
}

/** Forgets everything that was said of a provider. */
export async function forgetMarks(db: Db, owner: string, id: string): Promise<void> {
  await switchProvider(db, owner, id, true);
  await hideModels(db, owner, id, []);
  await setPrices(db, owner, (await readMarks(db, owner)).prices, id, {});
  await limitTimes(db, owner, id, { silenceSeconds: null, totalSeconds: null });
}

async function setPrices(
  db: Db,
  owner: string,
  all: ProviderMarks['prices'],
  id: string,
  own: Prices,
): Promise<void> {
  const { [id]: _, ...others } = all;
  const next = Object.keys(own).length > 0 ? { ...others, [id]: own } : others;
  await setSetting(db, owner, pricesKey, next);
}
