import { CompiledQuery, PostgresAdapter, type Selectable, sql } from 'kysely';
import type { SearchHit } from '#shared/api/api.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import { insertRows, runCached } from '../database/cached-query.ts';
import { othersFirst } from '../database/slices.ts';
import type { Db } from '../database/store.ts';
import type { BlocksTable } from '../tables/conversation-tables.ts';
import { readRows } from '../database/unreadable-rows.ts';
import { toBlock } from './blocks.ts';
import { pieces, queryTerms, snippet, type Term } from './search-text.ts';
import { searchableText } from './searchable.ts';

/** A text to be found again: a topic's title, or what a block says. */
export interface IndexedText {
  topicId: string;
  kind: 'topic' | 'block';
  /** The topic or the block. */
  refId: string;
  messageId?: string;
  text: string;
}

const addWords = 'insert into search_index (rowid, tokens) values (?, ?)';
const deleteWords = 'delete from search_index where rowid = ?';

/** Tokens of a piece. PostgreSQL numbers positions up to 16,383, hence smaller pieces there. */
const pieceTokens = { postgres: 8000, sqlite: 20_000 };

/** Makes texts findable, piece by piece. */
export async function indexTexts(tx: Db, entries: IndexedText[]): Promise<void> {
  const write = isPostgres(tx) ? insertVectors : insertWords;
  const size = pieceTokens[isPostgres(tx) ? 'postgres' : 'sqlite'];
  let waiting: Piece[] = [];
  for (const entry of entries)
    for (const { start, tokens } of pieces(entry.text, size)) {
      waiting.push({ row: toRow(entry, start), tokens });
      if (start === 0 && waiting.length < piecesAtOnce) continue;
      await write(tx, waiting);
      waiting = [];
      if (start > 0) await othersFirst();
    }
  if (waiting.length > 0) await write(tx, waiting);
}

const piecesAtOnce = 50;

interface Piece {
  row: ReturnType<typeof toRow>;
  tokens: string[];
}

function toRow({ topicId, kind, refId, messageId }: IndexedText, start: number) {
  return { topic_id: topicId, kind, ref_id: refId, message_id: messageId ?? null, start };
}

async function insertVectors(tx: Db, pieces: Piece[]): Promise<void> {
  const rows = pieces.map(({ row, tokens }) => ({
    ...row,
    tokens: tokens.map((token, at) => `'${token}':${at + 1}`).join(' '),
  }));
  await insertRows(tx, 'search', rows);
}

async function insertWords(tx: Db, pieces: Piece[]): Promise<void> {
  for (const { row, tokens } of pieces) {
    const insert = () => tx.insertInto('search').values(row);
    const { insertId } = await runCached(tx, 'insert search', Object.values(row), insert);
    // This index keeps no positions, so a word need not be said twice.
    const words = [Number(insertId), [...new Set(tokens)].join(' ')];
    await tx.executeQuery(CompiledQuery.raw(addWords, words));
  }
}

/** Makes blocks findable by what they say. */
export async function indexBlocks(tx: Db, topicId: string, blocks: Block[]): Promise<void> {
  const texts = blocks.map((block): IndexedText => ({
    topicId,
    kind: 'block',
    refId: block.id,
    messageId: block.messageId,
    text: searchableText(block),
  }));
  await indexTexts(tx, texts);
}

/** Forgets texts of a topic. */
export async function removeFromIndex(tx: Db, topicId: string, refIds: string[]): Promise<void> {
  if (refIds.length === 0) return;
  const rows = await tx
    .deleteFrom('search')
    .where('topic_id', '=', topicId)
    .where('ref_id', 'in', refIds)
    .returning('id')
    .execute();
  if (isPostgres(tx)) return;
  for (const { id } of rows) await tx.executeQuery(CompiledQuery.raw(deleteWords, [id]));
}

/**
 * The texts of an owner that hold every word of the query: titles first, then newest first. With a
 * topic, the blocks of that one alone.
 */
export async function searchText(
  db: Db,
  owner: string,
  query: string,
  limit: number,
  topicId?: string,
): Promise<SearchHit[]> {
  const terms = queryTerms(query);
  if (terms.length === 0) return [];
  const hits: SearchHit[] = [];
  // Almost every row is a hit, so the first ones are enough almost always.
  for (let page = 0; page < maxPages && hits.length < limit; page += 1) {
    const rows = await matching(db, owner, terms, { limit, offset: page * limit, topicId });
    hits.push(...readRows(db, 'blocks', rows, (row) => toHit(row, terms)).flat());
    if (rows.length < limit) break;
  }
  return hits.slice(0, limit);
}

/** A row of the index may not hold the words as they were asked for: so far it is looked for others. */
const maxPages = 4;

/** A piece of a title, or of a block; of a title everything that is the block's is null. */
type MatchingRow = Omit<Selectable<BlocksTable>, 'id'> & {
  id: string | null;
  kind: IndexedText['kind'];
  start: number;
  topic_id: string;
  title: string;
  archived: number;
  updated_at: number;
  /** Null where the message was deleted from its topic. */
  said_at: number | null;
};

function toHit(row: MatchingRow, terms: Term[]): SearchHit[] {
  const { kind, topic_id: topicId, title, id: blockId, message_id: messageId, said_at: at } = row;
  const topic = {
    topicId,
    topicTitle: title,
    ...(row.archived === 1 && { archived: true as const }),
  };
  if (kind === 'topic') {
    const excerpt = snippet(title, row.start, terms);
    return excerpt === undefined ? [] : [{ ...topic, at: row.updated_at, snippet: excerpt }];
  }
  if (blockId === null || at === null) return [];
  const excerpt = snippet(searchableText(toBlock({ ...row, id: blockId })), row.start, terms);
  return excerpt === undefined ? [] : [{ ...topic, messageId, blockId, at, snippet: excerpt }];
}

interface Part {
  limit: number;
  offset: number;
  topicId: string | undefined;
}

/**
 * The rows of one page with their blocks, which are looked up for that page alone; of a message that was
 * deleted from its topic there is none. Tokens are letters,
 * marks and digits only, so nothing in a query is ever syntax. SQLite keeps the order of cross joins: by
 * itself it would go through all topics of the owner and look into each.
 */
async function matching(
  db: Db,
  owner: string,
  terms: Term[],
  { limit, offset, topicId }: Part,
): Promise<MatchingRow[]> {
  const within =
    topicId === undefined ? sql`` : sql`and search.topic_id = ${topicId} and search.kind = 'block'`;
  const found = isPostgres(db)
    ? sql`search join topics on topics.id = search.topic_id
        where search.tokens @@ ${postgresQuery(terms)}::tsquery`
    : sql`search_index cross join search on search.id = search_index.rowid
        cross join topics on topics.id = search.topic_id
        where search_index match ${sqliteQuery(terms)}`;
  const { rows } = await sql<MatchingRow>`
    select found.kind, found.start, found.topic_id, found.title, found.archived, found.updated_at,
      messages.created_at as said_at, blocks.* from (
      select search.id as n, search.kind, search.ref_id, search.start, topics.id as topic_id, topics.title,
        topics.archived, topics.updated_at
      from ${found} and topics.owner = ${owner} and topics.archived < 2 ${within}
      order by search.kind desc, search.id desc limit ${limit} offset ${offset}
    ) as found left join blocks on found.kind = 'block' and blocks.id = found.ref_id
      left join messages on messages.id = blocks.message_id and messages.topic_id = found.topic_id
    order by found.kind desc, found.n desc`.execute(db);
  return rows;
}

function postgresQuery(terms: Term[]): string {
  return terms
    .map(({ tokens, prefix }) =>
      tokens
        .map((token, at) => `'${token}'${prefix && at === tokens.length - 1 ? ':*' : ''}`)
        .join(' <-> '),
    )
    .map((phrase) => `(${phrase})`)
    .join(' & ');
}

function sqliteQuery(terms: Term[]): string {
  return terms
    .flatMap(({ tokens, prefix }) => tokens.map((token) => `"${token}"${prefix ? '*' : ''}`))
    .join(' AND ');
}

/** Which of the two databases a handle belongs to. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
