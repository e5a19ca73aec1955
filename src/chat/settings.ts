import type { Settings as SettingsValue } from '#shared/api.ts';
import type { SecretBox } from '#shared/ports.ts';
import { hiddenSecret } from '#shared/text.ts';
import { insertAudit } from '#store/audit.ts';
import { getSetting, setSetting } from '#store/settings.ts';
import type { Store } from '#store/store.ts';

const settingsKey = 'settings';
/** Always there, needs no key. */
const fallbackModel = 'demo/scripted';

/** What a person set for the whole host. Its one secret, the search key, is sealed where it is kept. */
export class Settings {
  readonly #store: Store;
  readonly #box: SecretBox;
  readonly #alwaysAllowed: string[];

  constructor(store: Store, box: SecretBox, alwaysAllowed: string[]) {
    this.#store = store;
    this.#box = box;
    this.#alwaysAllowed = alwaysAllowed;
  }

  async get(owner: string): Promise<SettingsValue> {
    const stored = await this.#read(owner);
    return withKey(stored, stored.webSearch?.apiKey && hiddenSecret);
  }

  async set(owner: string, value: SettingsValue): Promise<SettingsValue> {
    const present = await this.#read(owner);
    const sent = value.webSearch?.apiKey;
    const sealed =
      sent === hiddenSecret
        ? present.webSearch?.apiKey
        : sent && this.#box.seal(sent, keyContext(owner));
    await this.#store.transaction(async (tx) => {
      await setSetting(tx, owner, settingsKey, withKey(value, sealed));
      await insertAudit(tx, { owner, action: 'settings.set', subject: owner });
    });
    return this.get(owner);
  }

  async defaultModel(owner: string): Promise<string> {
    return (await this.#read(owner)).defaultModel ?? fallbackModel;
  }

  /** Private addresses that fetch may reach: those of the settings and those of the start. */
  async fetchAllow(owner: string): Promise<string[]> {
    return [...this.#alwaysAllowed, ...(await this.#read(owner)).fetchAllow];
  }

  /** The search engine with its key, for the built-in server alone. */
  async webSearch(owner: string): Promise<SettingsValue['webSearch']> {
    const { webSearch } = await this.#read(owner);
    if (!webSearch?.apiKey) return webSearch;
    return { ...webSearch, apiKey: this.#box.open(webSearch.apiKey, keyContext(owner)) };
  }

  async #read(owner: string): Promise<SettingsValue> {
    const stored = await getSetting(this.#store.db, owner, settingsKey);
    return { fetchAllow: [], ...(stored as Partial<SettingsValue> | undefined) };
  }
}

function withKey(value: SettingsValue, apiKey: string | undefined): SettingsValue {
  if (!value.webSearch) return value;
  const { apiKey: _, ...webSearch } = value.webSearch;
  return { ...value, webSearch: { ...webSearch, ...(apiKey && { apiKey }) } };
}

function keyContext(owner: string): string {
  return `settings/${owner}/web-search`;
}
