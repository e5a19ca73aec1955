import type { Selectable } from 'kysely';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { Provider } from '#shared/vocabulary/model.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import { listFromJson, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import type { ProvidersTable } from '../tables/configuration-tables.ts';
import { readRows } from '../database/unreadable-rows.ts';

/** A provider as it is kept, with its key in the clear: for `models/` only, never for a client. */
export interface StoredProvider extends Pick<
  Provider,
  'id' | 'name' | 'slug' | 'kind' | 'models' | 'hasKey' | 'shared' | 'createdAt'
> {
  /** Empty: the vendor's own. */
  baseUrl: string;
  apiKey?: string | undefined;
}

/** The same with whose it is. */
export type OwnedProvider = StoredProvider & { owner: string };

/** What may change of one; what is undefined stays. */
export type ProviderPatch = {
  [Key in 'name' | 'kind' | 'baseUrl' | 'models' | 'apiKey' | 'shared']?:
    | StoredProvider[Key]
    | undefined;
};

/** Throws `conflict` if the owner has a provider of that name. */
export async function insertProvider(
  db: Db,
  box: SecretBox,
  owner: string,
  provider: StoredProvider,
): Promise<void> {
  const inserted = await db
    .insertInto('providers')
    .values({
      id: provider.id,
      owner,
      name: sanitiseText(provider.name),
      slug: provider.slug,
      kind: sanitiseText(provider.kind),
      base_url: sanitiseText(provider.baseUrl),
      api_key: sealKey(box, provider.id, provider.apiKey),
      models: toJson(provider.models),
      shared: Number(provider.shared ?? false),
      created_at: provider.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['owner', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) {
    throw new CeriseError(
      'conflict',
      say('provider-name-taken')`A provider named ${provider.name} already exists.`,
      {
        hint: say(
          'provider-name-taken-hint',
        )`Change the existing provider, or choose another name.`,
      },
    );
  }
}

/** Oldest first. */
export async function listProvidersWithKeys(
  db: Db,
  box: SecretBox,
  owner: string,
): Promise<StoredProvider[]> {
  const rows = await selectProviders(db, owner);
  return readRows(db, 'providers', rows, (row) => withKey(box, row));
}

/** Those that any of these owners lets everybody use. */
export async function listSharedProviders(
  db: Db,
  box: SecretBox,
  owners: readonly string[],
): Promise<OwnedProvider[]> {
  if (owners.length === 0) return [];
  const rows = await db
    .selectFrom('providers')
    .selectAll()
    .where('owner', 'in', owners)
    .where('shared', '=', 1)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return readRows(db, 'providers', rows, (row) => ({ ...withKey(box, row), owner: row.owner }));
}

/** Undefined leaves a field as it is; an empty key removes the key. False if there is no such provider. */
export async function updateProvider(
  db: Db,
  box: SecretBox,
  owner: string,
  id: string,
  patch: ProviderPatch,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('providers')
    .set({
      id,
      name: patch.name && sanitiseText(patch.name),
      kind: patch.kind && sanitiseText(patch.kind),
      base_url: patch.baseUrl === undefined ? undefined : sanitiseText(patch.baseUrl),
      models: patch.models && toJson(patch.models),
      shared: patch.shared === undefined ? undefined : Number(patch.shared),
      api_key: patch.apiKey === undefined ? undefined : sealKey(box, id, patch.apiKey),
    })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** False if the owner has no such provider. */
export async function deleteProvider(db: Db, owner: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('providers')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Seals every key of a vendor with another key of ours. How many there are. */
export async function resealProviders(tx: Db, from: SecretBox, to: SecretBox): Promise<number> {
  const rows = await tx.selectFrom('providers').select(['id', 'api_key']).execute();
  const sealed = rows.flatMap(({ id, api_key: key }) => (key === null ? [] : [{ id, key }]));
  for (const { id, key } of sealed)
    await tx
      .updateTable('providers')
      .set({ api_key: to.seal(from.open(key, keyContext(id)), keyContext(id)) })
      .where('id', '=', id)
      .execute();
  return sealed.length;
}

async function selectProviders(db: Db, owner: string): Promise<Selectable<ProvidersTable>[]> {
  return await db
    .selectFrom('providers')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

function sealKey(box: SecretBox, id: string, apiKey: string | undefined): string | null {
  return apiKey ? box.seal(sanitiseText(apiKey), keyContext(id)) : null;
}

function keyContext(id: string): string {
  return `provider:${id}:apiKey`;
}

function withKey(box: SecretBox, row: Selectable<ProvidersTable>): StoredProvider {
  const provider = toProvider(row);
  if (row.api_key === null) return provider;
  return { ...provider, apiKey: box.open(row.api_key, keyContext(row.id)) };
}

function toProvider(row: Selectable<ProvidersTable>): StoredProvider {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug ?? row.name,
    kind: row.kind,
    baseUrl: row.base_url,
    models: listFromJson(row.models) as string[],
    hasKey: row.api_key !== null,
    shared: row.shared === 1,
    createdAt: row.created_at,
  };
}
