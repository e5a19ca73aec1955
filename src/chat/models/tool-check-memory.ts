import type { ToolCheckMemory } from '#models/catalog/tool-checks.ts';
import type { ToolCheck } from '#shared/vocabulary/model.ts';
import { getSetting, setSetting } from '#store/configuration/settings.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Db, Store } from '#store/database/store.ts';

const settingsKey = 'tool-checks';

/** Keeps what came out of tool checks with the settings of their owner. */
export function createToolCheckMemory(store: Store, owner: string): ToolCheckMemory {
  return {
    read: () => readResults(store.db, owner),
    write: (key, result) =>
      transactSerially(store, `${settingsKey} ${owner}`, async (tx) =>
        setSetting(tx, owner, settingsKey, { ...(await readResults(tx, owner)), [key]: result }),
      ),
  };
}

async function readResults(db: Db, owner: string): Promise<Record<string, ToolCheck>> {
  return ((await getSetting(db, owner, settingsKey)) ?? {}) as Record<string, ToolCheck>;
}
