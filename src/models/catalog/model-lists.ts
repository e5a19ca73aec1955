import { isAhead } from '#shared/async/clock.ts';
import type { ModelProvider } from './create-adapter.ts';
import { type ListedModel } from './listed-model.ts';
import { listVendorModels } from './model-list.ts';

const freshMs = 5 * 60_000;
const failureMemoryMs = 15_000;
/** How long an answer may wait for what only makes it better. */
const soonMs = 1_000;

/** What vendors say of their models, asked once in five minutes. Never fails. */
export interface ModelLists {
  /** Empty while the vendor does not answer. */
  all(provider: ModelProvider): Promise<ListedModel[]>;
  /** What is known within a second: the last list, however old, before the next one is there. */
  soon(provider: ModelProvider): Promise<ListedModel[]>;
  /** Asks the vendor again when its models are wanted next. */
  refresh(provider: ModelProvider): void;
}

interface Entry {
  until: number;
  models: Promise<ListedModel[]>;
  /** The last list that was read, or none after a failure: nobody waits for it again. */
  last?: ListedModel[];
}

/** Lists of all providers; a failure is remembered only briefly. */
export function createModelLists(now: () => number): ModelLists {
  const entries = new Map<string, Entry>();

  function entryOf(provider: ModelProvider): Entry {
    const key = keyOf(provider);
    const present = entries.get(key);
    if (present && present.until > now() && !isAhead(present.until - freshMs, now()))
      return present;
    const entry: Entry = {
      until: now() + freshMs,
      models: Promise.resolve([]),
      ...(present?.last && { last: present.last }),
    };
    entry.models = ask(provider, entry);
    entries.set(key, entry);
    return entry;
  }

  async function ask(provider: ModelProvider, entry: Entry): Promise<ListedModel[]> {
    try {
      const models = await listVendorModels(provider, AbortSignal.timeout(freshMs));
      const pricedAt = now();
      entry.last = models.map((model) => (model.price ? { ...model, pricedAt } : model));
      return entry.last;
    } catch {
      // Who wants to know why tests the provider; a list of models just has none of it.
      entry.until = now() + failureMemoryMs;
      entry.last ??= [];
      return [];
    }
  }

  return {
    all: (provider) => entryOf(provider).models,
    refresh(provider) {
      const entry = entries.get(keyOf(provider));
      if (entry) entry.until = 0;
    },
    async soon(provider) {
      const { last, models } = entryOf(provider);
      return last ?? Promise.race([models, afterAMoment()]);
    },
  };
}

function afterAMoment(): Promise<ListedModel[]> {
  return new Promise((resolve) => {
    setTimeout(() => resolve([]), soonMs).unref();
  });
}

function keyOf({ kind, baseUrl, apiKey }: ModelProvider): string {
  return JSON.stringify([kind, baseUrl, apiKey]);
}
