import type { Settings as SettingsValue } from '#shared/api.ts';
import { insertAudit } from '#store/audit.ts';
import { getSetting, setSetting } from '#store/settings.ts';
import type { Store } from '#store/store.ts';

const settingsKey = 'settings';
/** Always there, needs no key. */
const fallbackModel = 'demo/scripted';

/** What a person set for the whole host. */
export class Settings {
  private readonly store: Store;
  private readonly alwaysAllowed: string[];

  constructor(store: Store, alwaysAllowed: string[]) {
    this.store = store;
    this.alwaysAllowed = alwaysAllowed;
  }

  async get(owner: string): Promise<SettingsValue> {
    const stored = (await getSetting(this.store.db, owner, settingsKey)) as Partial<SettingsValue>;
    return { fetchAllow: [], ...stored };
  }

  async set(owner: string, value: SettingsValue): Promise<SettingsValue> {
    await this.store.transaction(async (tx) => {
      await setSetting(tx, owner, settingsKey, value);
      await insertAudit(tx, { owner, action: 'settings.set', subject: owner, details: value });
    });
    return value;
  }

  async defaultModel(owner: string): Promise<string> {
    return (await this.get(owner)).defaultModel ?? fallbackModel;
  }

  /** Private addresses that fetch may reach: those of the settings and those of the start. */
  async fetchAllow(owner: string): Promise<string[]> {
    return [...this.alwaysAllowed, ...(await this.get(owner)).fetchAllow];
  }
}
