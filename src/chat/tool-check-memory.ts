import type { ToolCheckMemory } from '#models/tool-checks.ts';
import type { ToolCheck } from '#shared/model.ts';
import { getSetting, setSetting } from '#store/settings.ts';
import type { Store } from '#store/store.ts';

const settingsKey = 'tool-checks';

/** Keeps what came out of tool checks with the settings of their owner. */
export function createToolCheckMemory(store: Store, owner: string): ToolCheckMemory {
  return {
    async read() {
      const stored = await getSetting(store.db, owner, settingsKey);
      return (stored ?? {}) as Record<string, ToolCheck>;
    },
    write: (results) => setSetting(store.db, owner, settingsKey, results),
  };
}
