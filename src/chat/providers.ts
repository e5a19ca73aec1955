import { randomUUIDv7 } from 'node:crypto';
import { CeriseError } from '#shared/errors.ts';
import type { Provider } from '#shared/model.ts';
import type { SecretBox } from '#shared/ports.ts';
import { insertAudit } from '#store/audit.ts';
import {
  deleteProvider,
  insertProvider,
  listProviders,
  listProvidersWithKeys,
  updateProvider,
} from '#store/providers.ts';
import type { Store } from '#store/store.ts';

interface Fields {
  name: string;
  kind: 'openai-compatible';
  baseUrl: string;
  apiKey?: string;
  models: string[];
}

/** The model vendors people configured. Keys go in and are used, never read back. */
export class Providers {
  readonly #store: Store;
  readonly #box: SecretBox;
  readonly #now: () => number;

  constructor(store: Store, box: SecretBox, now: () => number) {
    this.#store = store;
    this.#box = box;
    this.#now = now;
  }

  async list(owner: string): Promise<Provider[]> {
    return listProviders(this.#store.db, owner);
  }

  /** For the model catalog only. */
  async withKeys(owner: string): Promise<(Provider & { apiKey?: string })[]> {
    return listProvidersWithKeys(this.#store.db, this.#box, owner);
  }

  async create(owner: string, { apiKey, ...fields }: Fields): Promise<Provider> {
    const present = await this.list(owner);
    if (fields.name === 'demo' || present.some(({ name }) => name === fields.name))
      throw new CeriseError('conflict', `There is already a provider named ${fields.name}.`);
    const provider: Provider = {
      ...fields,
      id: randomUUIDv7(),
      hasKey: Boolean(apiKey),
      createdAt: this.#now(),
    };
    await this.#store.transaction(async (tx) => {
      await insertProvider(tx, this.#box, owner, { ...provider, apiKey });
      await insertAudit(tx, { owner, action: 'provider.add', subject: provider.id });
    });
    return provider;
  }

  /** An absent key stays as it is; an empty one is removed. */
  async update(
    owner: string,
    id: string,
    change: Partial<Omit<Fields, 'name'>>,
  ): Promise<Provider> {
    const { apiKey, ...fields } = change;
    const present = (await this.list(owner)).find((provider) => provider.id === id);
    if (!present) throw notFound();
    const hasKey = apiKey === undefined ? present.hasKey : apiKey !== '';
    const provider: Provider = { ...present, ...fields, hasKey };
    await this.#store.transaction(async (tx) => {
      await updateProvider(tx, this.#box, owner, id, change);
      await insertAudit(tx, { owner, action: 'provider.update', subject: id });
    });
    return provider;
  }

  async delete(owner: string, id: string): Promise<void> {
    await this.#store.transaction(async (tx) => {
      if (!(await deleteProvider(tx, owner, id))) throw notFound();
      await insertAudit(tx, { owner, action: 'provider.remove', subject: id });
    });
  }
}

function notFound(): CeriseError {
  return new CeriseError('provider_not_found', 'There is no such provider.');
}
