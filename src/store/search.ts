import { PostgresAdapter, sql } from 'kysely';
import type { SearchHit } from '#shared/api.ts';
import type { Block } from '#shared/block.ts';
import { blocksById } from './blocks.ts';
import { pieces, queryTerms, snippet, type Term } from './search-text.ts';
import { searchableText } from './searchable.ts';
import type { Db } from './store.ts';

/** A text to be found again: a topic's title, or what a block says. */
export interface IndexedText {
  topicId: string;
  kind: 'topic' | 'block';
  /** The topic or the block. */
  refId: string;
  messageId?: string;
  text: string;
}

/** Makes a text findable. PostgreSQL numbers positions up to 16,383, hence smaller pieces there. */
export async function indexText(tx: Db, entry: IndexedText): Promise<void> {
  for (const { start, tokens } of pieces(entry.text, isPostgres(tx) ? 8000 : 100_000)) {
    const row = {
      topic_id: entry.topicId,
      kind: entry.kind,
      ref_id: entry.refId,
      message_id: entry.messageId ?? null,
      start,
    };
    if (isPostgres(tx)) {
      const vector = tokens.map((token, at) => `'${token}':${at + 1}`).join(' ');
      await tx
        .insertInto('search')
        .values({ ...row, tokens: sql`${vector}::tsvector` } as typeof row)
        .execute();
    } else {
      // This index keeps no positions, so a word need not be said twice.
      const { insertId } = await tx.insertInto('search').values(row).executeTakeFirstOrThrow();
      await sql`insert into search_index (rowid, tokens)
        values (${Number(insertId)}, ${[...new Set(tokens)].join(' ')})`.execute(tx);
    }
  }
}

/** Makes blocks findable by what they say. */
export async function indexBlocks(tx: Db, topicId: string, blocks: Block[]): Promise<void> {
  for (const block of blocks) {
    const text = searchableText(block);
    const { id: refId, messageId } = block;
    if (text) await indexText(tx, { topicId, kind: 'block', refId, messageId, text });
  }
}

/** Forgets everything of a topic, or one text of it. */
export async function removeFromIndex(tx: Db, topicId: string, refId?: string): Promise<void> {
  const rows = await tx
    .deleteFrom('search')
    .where('topic_id', '=', topicId)
    .$if(refId !== undefined, (query) => query.where('ref_id', '=', refId ?? ''))
    .returning('id')
    .execute();
  if (isPostgres(tx)) return;
  for (const { id } of rows) await sql`delete from search_index where rowid = ${id}`.execute(tx);
}

/** The texts of an owner that hold every word of the query: titles first, then newest first. */
export async function searchText(
  db: Db,
  owner: string,
  query: string,
  limit: number,
): Promise<SearchHit[]> {
  const terms = queryTerms(query);
  if (terms.length === 0) return [];
  const rows = await matching(db, terms)
    .innerJoin('topics', 'topics.id', 'search.topic_id')
    .select(['search.kind', 'search.ref_id', 'search.message_id', 'search.start'])
    .select(['topics.id as topic_id', 'topics.title'])
    .where('topics.owner', '=', owner)
    .orderBy('search.kind', 'desc')
    .orderBy('search.id', 'desc')
    .limit(limit * 4)
    .execute();
  const blocks = await blocksById(
    db,
    rows.filter(({ kind }) => kind === 'block').map(({ ref_id }) => ref_id),
  );
  return rows
    .flatMap((row): SearchHit[] => {
      const block = blocks.get(row.ref_id);
      const text = block ? searchableText(block) : row.title;
      const { topic_id: topicId, title: topicTitle } = row;
      const found = snippet(text, row.start, terms);
      if (found === undefined) return [];
      if (!block || row.message_id === null) return [{ topicId, topicTitle, snippet: found }];
      const { message_id: messageId } = row;
      return [{ topicId, topicTitle, messageId, blockId: block.id, snippet: found }];
    })
    .slice(0, limit);
}

/** Tokens are letters, marks and digits only, so nothing in a query is ever syntax. */
function matching(db: Db, terms: Term[]) {
  if (isPostgres(db)) {
    const wanted = terms
      .map(({ tokens, prefix }) =>
        tokens
          .map((token, at) => `'${token}'${prefix && at === tokens.length - 1 ? ':*' : ''}`)
          .join(' <-> '),
      )
      .map((phrase) => `(${phrase})`)
      .join(' & ');
    return db.selectFrom('search').where(sql<boolean>`tokens @@ ${wanted}::tsquery`);
  }
  const wanted = terms
    .flatMap(({ tokens, prefix }) => tokens.map((token) => `"${token}"${prefix ? '*' : ''}`))
    .join(' AND ');
  return db
    .selectFrom('search')
    .where(
      sql<boolean>`search.id in (select rowid from search_index where search_index match ${wanted})`,
    );
}

function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
