import { randomUUIDv7 } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sniffMediaType } from '#shared/text/media-type.ts';
import { sanitiseText, truncate } from '#shared/text/text.ts';
import { mergeOrigins, type Origin } from '#shared/vocabulary/origin.ts';
import type { BlobFacts, StoredBlob } from '#shared/vocabulary/ports.ts';
import { listFromJson, toJson } from '../database/json.ts';
import type { Db, Store } from '../database/store.ts';
import type { Tables } from '../tables/tables.ts';
import type { ReceivedBytes } from './blob-place.ts';

const maxNameChars = 255;

/** The row of the bytes, if it is new, and a reference to them. Throws `topic_not_found`. */
export async function insertBlob(
  tx: Db,
  dialect: Store['dialect'],
  { hash, size, head, bytes }: ReceivedBytes,
  facts: BlobFacts,
  time: number,
): Promise<StoredBlob> {
  const mimeType = sniffMediaType(head, facts.mimeType);
  if (facts.topicId !== undefined) await requireTopic(tx, dialect, facts.owner, facts.topicId);
  if (!(await touch(tx, hash, time)))
    await tx
      .insertInto('blobs')
      .values({ hash, size, mime_type: mimeType, bytes, created_at: time })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ created_at: later(time) }))
      .execute();
  const origins = facts.origins ?? (await originsOfBytes(tx, facts.owner, hash));
  const whole = { ...facts, mimeType, ...(origins && { origins }) };
  return await insertReference(tx, { hash, size }, whole, time);
}

/** Bytes that are kept as an untrusted source's are that also where somebody sends them in again. */
async function originsOfBytes(tx: Db, owner: string, hash: string): Promise<Origin[] | undefined> {
  const row = await tx
    .selectFrom('blob_refs')
    .select('origins')
    .where('hash', '=', hash)
    .where('owner', '=', owner)
    .where('origins', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row?.origins ? (listFromJson(row.origins) as Origin[]) : undefined;
}

/** A reference for a topic to the bytes of one the owner has. Throws `file_not_found`. */
export async function attachReference(
  tx: Db,
  dialect: Store['dialect'],
  wanted: { owner: string; id: string; topicId: string; origins: readonly Origin[] },
  time: number,
): Promise<StoredBlob> {
  const { owner, id, topicId } = wanted;
  // While the old reference is locked it cannot go, and so neither can the bytes.
  const reference = await findReference(tx, owner, id, dialect === 'postgres');
  if (!reference) throw fileNotFound();
  const origins = mergeOrigins(reference.origins ?? [], wanted.origins);
  return await insertReference(tx, reference, { ...reference, owner, topicId, origins }, time);
}

/**
 * Makes the bytes of an upload those that a server runs from, in place of any others. They go with the server.
 * Throws `file_not_found`.
 */
export async function claimForServer(
  tx: Db,
  dialect: Store['dialect'],
  upload: { owner: string; id: string },
  server: { owner: string; id: string },
  time: number,
): Promise<void> {
  const reference = await findReference(tx, upload.owner, upload.id, dialect === 'postgres');
  if (!reference) throw fileNotFound();
  await tx.deleteFrom('blob_refs').where('server_id', '=', server.id).execute();
  const { mimeType, name } = reference;
  const facts = { owner: server.owner, serverId: server.id, mimeType, ...(name && { name }) };
  await insertReference(tx, reference, facts, time);
}

/** Drops an upload; its bytes go with the next collection. */
export async function dropUpload(db: Db, owner: string, id: string): Promise<void> {
  await db
    .deleteFrom('blob_refs')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('topic_id', 'is', null)
    .where('server_id', 'is', null)
    .execute();
}

/** Whether a server runs from these bytes. */
export async function isClaimed(db: Db, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('blob_refs')
    .select('id')
    .where('hash', '=', hash)
    .where('server_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Locks the row of the bytes and changes its time, by which `collectBlobs` sees that somebody wanted
 * them in the meantime. False if there is no such row.
 */
async function touch(tx: Db, hash: string, time: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('blobs')
    .set({ created_at: later(time) })
    .where('hash', '=', hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Never the time that was there, whatever the clocks of several hosts say. */
function later(time: number) {
  return sql<number>`case when blobs.created_at < ${time} then ${time} else blobs.created_at + 1 end`;
}

async function requireTopic(
  tx: Db,
  dialect: Store['dialect'],
  owner: string,
  topicId: string,
): Promise<void> {
  const topic = await tx
    .selectFrom('topics')
    .select('id')
    .where('id', '=', topicId)
    .where('owner', '=', owner)
    .$if(dialect === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  if (!topic)
    throw new CeriseError(
      'topic_not_found',
      say('file-topic-gone')`This file's chat no longer exists.`,
    );
}

async function insertReference(
  tx: Db,
  { hash, size }: Pick<StoredBlob, 'hash' | 'size'>,
  facts: BlobFacts,
  time: number,
): Promise<StoredBlob> {
  const id = randomUUIDv7();
  const { owner, topicId, callId, serverId, mimeType, origins = [] } = facts;
  const name = facts.name && truncate(sanitiseText(facts.name), maxNameChars);
  const row = { id, owner, hash, topic_id: topicId ?? null, name: name || null };
  await tx
    .insertInto('blob_refs')
    .values({
      ...row,
      call_id: callId ?? null,
      server_id: serverId ?? null,
      mime_type: mimeType,
      origins: origins.length > 0 ? toJson(origins) : null,
      created_at: time,
    })
    .execute();
  return {
    id,
    hash,
    size,
    mimeType,
    ...(name && { name }),
    ...(topicId && { topicId }),
    ...(origins.length > 0 && { origins }),
  };
}

/** One reference of an owner; with `lock` it stays until the transaction has ended. */
export async function findReference(
  db: Db,
  owner: string,
  id: string,
  lock = false,
): Promise<StoredBlob | undefined> {
  const row = await db
    .selectFrom('blob_refs as ref')
    .innerJoin('blobs', 'blobs.hash', 'ref.hash')
    .select(['ref.id', 'ref.hash', 'size', 'name', 'topic_id', 'ref.origins'])
    .select((select) => select.fn.coalesce('ref.mime_type', 'blobs.mime_type').as('mime_type'))
    .where('ref.id', '=', sanitiseText(id))
    .where('ref.owner', '=', owner)
    .where(isOfNothingDeleted)
    .$if(lock, (query) => query.forKeyShare(['ref']))
    .executeTakeFirst();
  return row && fromRow(row);
}

/** The topic may be deleted and its rows still be there. */
const isOfNothingDeleted = sql<boolean>`not exists (
  select 1 from topics where topics.id = ref.topic_id and topics.owner <> ref.owner
)`;

type ReferenceRow = Pick<
  Selectable<Tables['blob_refs']>,
  'id' | 'hash' | 'name' | 'topic_id' | 'origins'
> & {
  size: number;
  mime_type: string;
};

function fromRow(row: ReferenceRow): StoredBlob {
  const { id, hash, size, mime_type, name, topic_id, origins } = row;
  return {
    id,
    hash,
    size,
    mimeType: mime_type,
    ...(name !== null && { name }),
    ...(topic_id !== null && { topicId: topic_id }),
    ...(origins !== null && { origins: listFromJson(origins) as Origin[] }),
  };
}

/** Uploads that are looked at for each that may be unsent: those that were sent stay for their time too. */
const lookedAt = 4;

/** How many of the newest uploads of an owner no message has taken yet, counted no further than to `most`. */
export async function countUnsent(db: Db, owner: string, most: number): Promise<number> {
  const { rows } = await sql`
    select 1 from (
      select hash from blob_refs
      where owner = ${owner} and topic_id is null and call_id is null and server_id is null
      order by created_at desc limit ${lookedAt * most}
    ) as upload
    where not exists (
      select 1 from blob_refs as sent
      where sent.owner = ${owner} and sent.hash = upload.hash and sent.topic_id is not null
    ) limit ${most}`.execute(db);
  return rows.length;
}

/** The error for a file that belongs to someone else, or no longer exists. */
export function fileNotFound(): CeriseError {
  return new CeriseError(
    'file_not_found',
    say('file-not-kept')`This file doesn't exist or is no longer stored.`,
    {
      hint: say(
        'file-not-kept-hint',
      )`Files that aren't sent with a message are deleted after a day. Attach it again.`,
    },
  );
}

/** Says of references where untrusted words in their bytes came from. */
export async function markReferences(
  tx: Db,
  owner: string,
  ids: readonly string[],
  origins: readonly Origin[],
): Promise<void> {
  await tx
    .updateTable('blob_refs')
    .set({ origins: toJson(origins) })
    .where('id', 'in', ids)
    .where('owner', '=', owner)
    .execute();
}

/** Those of the hashes that have a row. */
export async function hashesWithRow(db: Db, hashes: string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db.selectFrom('blobs').select('hash').where('hash', 'in', hashes).execute();
  return new Set(rows.map(({ hash }) => hash));
}
