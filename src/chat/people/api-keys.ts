import { randomUUIDv7 } from 'node:crypto';
import {
  type CreatedKeyView,
  createKeySchema,
  type KeyScope,
  type KeyView,
  type PeopleKeyView,
} from '#shared/api/people-api.ts';
import { isWithin } from '#shared/async/clock.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Store } from '#store/database/store.ts';
import {
  type ApiKey,
  deleteApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  noteKeyUsed,
} from '#store/people/api-keys.ts';
import { insertAudit } from '#store/people/audit.ts';
import { listUsers } from '#store/people/users.ts';
import { assertMaySet } from './admin-fields.ts';
import type { OpenStreams } from './open-streams.ts';
import { hashToken, newToken } from './secret-token.ts';
import { assertHolds, assertStill, type Visitor } from './visitor.ts';

const maxKeys = 100;
/** What is no key by its form is not looked for. */
const keyForm = /^cerise_[\w-]{32}$/;
/** Milliseconds between two notes that a key was used. */
const noteIntervalMs = 60_000;

/** Keys with which programs come in as their owner. A key is told once and stored as a hash. */
export class ApiKeys {
  readonly #store: Store;
  readonly #streams: OpenStreams;
  readonly #now: () => number;

  constructor(deps: { store: Store; streams: OpenStreams; now: () => number }) {
    this.#store = deps.store;
    this.#streams = deps.streams;
    this.#now = deps.now;
  }

  async list(owner: string): Promise<KeyView[]> {
    return (await listApiKeys(this.#store.db, owner)).map(toKeyView);
  }

  /** The keys of everybody, with whose they are. */
  async listAll(): Promise<PeopleKeyView[]> {
    const { db } = this.#store;
    const names = new Map((await listUsers(db)).map(({ id, name }) => [id, name]));
    return (await listApiKeys(db)).map((key) => ({
      ...toKeyView(key),
      owner: { id: key.owner, name: names.get(key.owner) ?? '' },
    }));
  }

  /** For the visitor; not if they were signed out in the meantime. */
  async create(
    visitor: Visitor,
    fields: {
      name: string;
      scopes: KeyScope[];
      expiresAt?: number | undefined;
      servers?: ServerLimit[] | undefined;
      /** For admins alone: what comes with it counts as a person's own words. */
      trusted?: boolean | undefined;
    },
  ): Promise<CreatedKeyView> {
    const { owner } = visitor;
    const { name, expiresAt, servers } = fields;
    const createdAt = this.#now();
    if (expiresAt !== undefined && expiresAt <= createdAt)
      throw new CeriseError(
        'invalid_request',
        say('key-expired-already')`This expiry date is in the past.`,
      );
    assertNoLonger(visitor, expiresAt);
    if (visitor.role !== 'admin') assertMaySet(createKeySchema, fields);
    if (servers && fields.scopes.includes('admin'))
      throw new CeriseError(
        'invalid_request',
        say('key-limited-admin')`A key with full access can't be limited to certain servers.`,
        { hint: say('key-limited-admin-hint')`Choose the read or chat scope.` },
      );
    const key = `cerise_${newToken()}`;
    const scopes = [...new Set(fields.scopes)];
    const made: ApiKey = { id: randomUUIDv7(), owner, name, scopes, createdAt };
    if (expiresAt !== undefined) made.expiresAt = expiresAt;
    if (servers) made.servers = servers;
    if (fields.trusted) made.trusted = true;
    await transactSerially(this.#store, `keys ${owner}`, async (tx) => {
      await assertHolds(tx, this.#store.dialect, visitor, createdAt);
      if (made.trusted) await assertStill(tx, this.#store.dialect, owner, true);
      if ((await listApiKeys(tx, owner)).length >= maxKeys)
        throw new CeriseError(
          'too_many_requests',
          say('keys-at-most')`You can have up to ${maxKeys} API keys.`,
        );
      await insertApiKey(tx, made, hashToken(key));
      const details = {
        scopes,
        ...(servers && { servers: servers.map(({ id }) => id) }),
        ...(made.trusted && { trusted: true }),
      };
      await insertAudit(tx, { owner, action: 'key.add', subject: made.id, details }, createdAt);
    });
    return { ...toKeyView(made), key };
  }

  /** `actor` is who ends it: its owner, or an admin. */
  async delete(owner: string, id: string, actor = owner): Promise<void> {
    await this.#store.transaction(async (tx) => {
      if (!(await deleteApiKey(tx, owner, id)))
        throw new CeriseError('key_not_found', say('key-gone')`This API key doesn't exist.`);
      await insertAudit(tx, { owner: actor, action: 'key.remove', subject: id }, this.#now());
    });
    this.#streams.end(owner, id);
  }

  /** The owner of this key; undefined if it is not a valid key. */
  async visitor(key: string): Promise<Visitor | undefined> {
    if (!keyForm.test(key)) return undefined;
    const now = this.#now();
    const stored = await findApiKey(this.#store.db, hashToken(key), now);
    if (!stored) return undefined;
    const { id, owner, role, scopes, servers, expiresAt, lastUsedAt = 0 } = stored;
    // Only an admin can vouch, and only for as long as they are one.
    const trusted = stored.trusted && role === 'admin';
    if (!isWithin(lastUsedAt, noteIntervalMs, now)) await noteKeyUsed(this.#store.db, id, now);
    return {
      owner,
      role,
      credential: {
        kind: 'key',
        id,
        scopes,
        ...(servers && { within: servers }),
        ...(trusted && { trusted }),
        expiresAt,
      },
    };
  }
}

/** A key that ends makes none that lasts longer: who gave it for a day gave it for a day. Throws `forbidden`. */
function assertNoLonger({ credential }: Visitor, expiresAt = Infinity): void {
  const { expiresAt: end = Infinity } = credential.kind === 'key' ? credential : {};
  if (expiresAt <= end) return;
  throw new CeriseError(
    'forbidden',
    say('key-outlasts')`This API key expires, so it can't create one that lasts longer.`,
    { hint: say('key-outlasts-hint')`Set expiresAt to the same time or earlier.` },
  );
}

/** A key as its owner sees it. */
export function toKeyView({ owner: _, ...key }: ApiKey): KeyView {
  return key;
}
