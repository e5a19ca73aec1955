import { searchAddress } from '#mcp/builtin/web/search-address.ts';
import {
  type Settings as SettingsValue,
  settingsSchema,
  type SettingsView,
} from '#shared/api/api.ts';
import { toEnterAgain } from '#shared/text/secret-address.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import { getSetting, listSetting, setSetting } from '#store/configuration/settings.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { assertMaySet } from '../people/admin-fields.ts';
import { localOwner, type Users } from '../people/users.ts';
import { assertStill } from '../people/visitor.ts';

const settingsKey = 'settings';
/** Always there, needs no key. */
const fallbackModel = 'demo/scripted';

type WebSearch = NonNullable<SettingsValue['webSearch']>;

/** What each user of the host sets for themselves. */
type OwnSettings = Pick<
  SettingsValue,
  | 'defaultModel'
  | 'titleModel'
  | 'translationModel'
  | 'favouriteModels'
  | 'reasoningEffort'
  | 'recordAnswers'
>;

interface SettingsDeps {
  store: Store;
  box: SecretBox;
  alwaysAllowed: string[];
  users: Pick<Users, 'isAdmin'>;
}

/**
 * What people set. The models they use are each one's own; private addresses and the search engine are the
 * host's, and an admin's to set. The one secret, the search key, is sealed where it is kept.
 */
export class Settings {
  readonly #deps: SettingsDeps;

  constructor(deps: SettingsDeps) {
    this.#deps = deps;
  }

  async get(owner: string): Promise<SettingsValue> {
    const own = await this.own(owner);
    if (!this.#deps.users.isAdmin(owner)) return { ...own, fetchAllow: [] };
    const [, host] = split(await this.#read(localOwner));
    return withKey({ ...own, ...host }, host.webSearch?.apiKey && hiddenSecret);
  }

  /** Throws `admin_only` where somebody else sets what is the host's. */
  async set(owner: string, value: SettingsValue): Promise<SettingsView> {
    const [own, host] = split(value);
    const isAdmin = this.#deps.users.isAdmin(owner);
    if (!isAdmin) assertMaySet(settingsSchema, value);
    let dropped: string[] = [];
    await transactSerially(this.#deps.store, 'settings', async (tx) => {
      await assertStill(tx, this.#deps.store.dialect, owner, isAdmin);
      const present = await readSettings(tx, localOwner);
      dropped = droppedKeys(host.webSearch, present.webSearch);
      const sealed = dropped.length > 0 ? undefined : this.#seal(host.webSearch?.apiKey, present);
      const [kept] = split(present);
      if (owner !== localOwner)
        await setSetting(tx, owner, settingsKey, { ...own, fetchAllow: [] });
      if (isAdmin) {
        const ofHost = { ...(owner === localOwner ? own : kept), ...host };
        await setSetting(tx, localOwner, settingsKey, withKey(ofHost, sealed));
      }
      const details = { ...(dropped.length > 0 && { secretsDropped: dropped }) };
      await insertAudit(tx, { owner, action: 'settings.set', subject: owner, details });
    });
    const view = await this.get(owner);
    return { ...view, ...(dropped.length > 0 && { secretsDropped: dropped }) };
  }

  /** Sets of somebody's own what they have not set themselves. */
  async fill(owner: string, own: OwnSettings): Promise<void> {
    await transactSerially(this.#deps.store, 'settings', async (tx) => {
      await setSetting(tx, owner, settingsKey, { ...own, ...(await readSettings(tx, owner)) });
      await insertAudit(tx, { owner, action: 'settings.set', subject: owner });
    });
  }

  #seal(sent: string | undefined, present: SettingsValue): string | undefined {
    if (sent === hiddenSecret) return present.webSearch?.apiKey;
    return sent && this.#deps.box.seal(sent, keyContext(localOwner));
  }

  /** What somebody set for themselves. */
  async own(owner: string): Promise<OwnSettings> {
    return split(await this.#read(owner))[0];
  }

  /** Somebody's own, else the host's. */
  async defaultModel(owner: string): Promise<string> {
    const own = (await this.#read(owner)).defaultModel;
    return own ?? (await this.#read(localOwner)).defaultModel ?? fallbackModel;
  }

  /** Private addresses that fetch may reach: those of the settings and those of the start. */
  async fetchAllow(): Promise<string[]> {
    return [...this.#deps.alwaysAllowed, ...(await this.#read(localOwner)).fetchAllow];
  }

  /** Whether local servers start only where they can be confined. */
  async requiresSandbox(): Promise<boolean> {
    return (await this.#read(localOwner)).requireSandbox === true;
  }

  /** The search engine with its key, for the built-in server alone. */
  async webSearch(): Promise<SettingsValue['webSearch']> {
    const { webSearch } = await this.#read(localOwner);
    if (!webSearch?.apiKey) return webSearch;
    return { ...webSearch, apiKey: this.#deps.box.open(webSearch.apiKey, keyContext(localOwner)) };
  }

  #read(owner: string): Promise<SettingsValue> {
    return readSettings(this.#deps.store.db, owner);
  }
}

/** The stored keys that do not go where searches lead after a change. */
function droppedKeys(next: WebSearch | undefined, present: WebSearch | undefined): string[] {
  if (next?.apiKey !== hiddenSecret || !present?.apiKey) return [];
  const move = { before: searchAddress(present), after: searchAddress(next) };
  return toEnterAgain(move, ['webSearch.apiKey']);
}

async function readSettings(db: Db, owner: string): Promise<SettingsValue> {
  const stored = await getSetting(db, owner, settingsKey);
  return { fetchAllow: [], ...(stored as Partial<SettingsValue> | undefined) };
}

/** Seals the search keys of all owners with another key of ours. How many there are. */
export async function resealSettings(tx: Db, from: SecretBox, to: SecretBox): Promise<number> {
  const all = await listSetting(tx, settingsKey);
  let count = 0;
  for (const { owner, value } of all) {
    const settings = value as SettingsValue;
    const sealed = settings.webSearch?.apiKey;
    if (!sealed) continue;
    const key = to.seal(from.open(sealed, keyContext(owner)), keyContext(owner));
    await setSetting(tx, owner, settingsKey, withKey(settings, key));
    count += 1;
  }
  return count;
}

/** What is somebody's own, and what is the host's. */
function split(value: SettingsValue): [OwnSettings, Omit<SettingsValue, keyof OwnSettings>] {
  const { defaultModel, titleModel, translationModel, favouriteModels, ...more } = value;
  const { reasoningEffort, recordAnswers, ...host } = more;
  const models = { defaultModel, titleModel, translationModel, favouriteModels };
  const own = { ...models, reasoningEffort, recordAnswers };
  const said = Object.entries(own).filter(([, entry]) => entry !== undefined);
  return [Object.fromEntries(said), host];
}

function withKey(value: SettingsValue, apiKey: string | undefined): SettingsValue {
  if (!value.webSearch) return value;
  const { apiKey: _, ...webSearch } = value.webSearch;
  return { ...value, webSearch: { ...webSearch, ...(apiKey && { apiKey }) } };
}

function keyContext(owner: string): string {
  return `settings/${owner}/web-search`;
}
