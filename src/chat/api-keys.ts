import { randomUUIDv7 } from 'node:crypto';
import { CeriseError } from '#shared/errors.ts';
import type { CreatedKeyView, KeyScope, KeyView } from '#shared/people-api.ts';
import { say } from '#shared/sentence.ts';
import {
  type ApiKey,
  deleteApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  noteKeyUsed,
} from '#store/api-keys.ts';
import { insertAudit } from '#store/audit.ts';
import { transactInTurn } from '#store/in-turn.ts';
import type { Store } from '#store/store.ts';
import type { OpenStreams } from './open-streams.ts';
import { hashToken, newToken } from './secret-token.ts';
import type { Visitor } from './visitor.ts';

const mostKeys = 100;
/** Milliseconds between two notes that a key was used. */
const noteEvery = 60_000;

/** Keys with which programs come in as their owner. A key is told once and stored as a hash. */
export class ApiKeys {
  readonly #store: Store;
  readonly #streams: OpenStreams;
  readonly #now: () => number;

  constructor(parts: { store: Store; streams: OpenStreams; now: () => number }) {
    this.#store = parts.store;
    this.#streams = parts.streams;
    this.#now = parts.now;
  }

  async list(owner: string): Promise<KeyView[]> {
    return (await listApiKeys(this.#store.db, owner)).map(toView);
  }

  async create(
    owner: string,
    fields: { name: string; scopes: KeyScope[]; expiresAt?: number | undefined },
  ): Promise<CreatedKeyView> {
    const { name, expiresAt } = fields;
    const createdAt = this.#now();
    if (expiresAt !== undefined && expiresAt <= createdAt)
      throw new CeriseError(
        'invalid_request',
        say('key-expired-already')`The key would have run out already.`,
      );
    const key = `cerise_${newToken()}`;
    const scopes = [...new Set(fields.scopes)];
    const made: ApiKey = { id: randomUUIDv7(), owner, name, scopes, createdAt };
    if (expiresAt !== undefined) made.expiresAt = expiresAt;
    await transactInTurn(this.#store, `keys ${owner}`, async (tx) => {
      if ((await listApiKeys(tx, owner)).length >= mostKeys)
        throw new CeriseError(
          'too_many_requests',
          say('keys-at-most')`There may be ${mostKeys} keys.`,
        );
      await insertApiKey(tx, made, hashToken(key));
      const details = { scopes };
      await insertAudit(tx, { owner, action: 'key.add', subject: made.id, details }, createdAt);
    });
    return { ...toView(made), key };
  }

  async delete(owner: string, id: string): Promise<void> {
    await this.#store.transaction(async (tx) => {
      if (!(await deleteApiKey(tx, owner, id)))
        throw new CeriseError('key_not_found', say('key-gone')`There is no such key.`);
      await insertAudit(tx, { owner, action: 'key.remove', subject: id }, this.#now());
    });
    this.#streams.end(owner, id);
  }

  /** Whoever has this key; undefined for what is no key that holds. */
  async visitor(key: string): Promise<Visitor | undefined> {
    const now = this.#now();
    const found = await findApiKey(this.#store.db, hashToken(key), now);
    if (!found) return undefined;
    const { id, owner, role, scopes, lastUsedAt = 0 } = found;
    if (lastUsedAt < now - noteEvery) await noteKeyUsed(this.#store.db, id, now);
    return { owner, role, credential: { kind: 'key', id, scopes } };
  }
}

function toView({ owner: _, ...key }: ApiKey): KeyView {
  return key;
}
