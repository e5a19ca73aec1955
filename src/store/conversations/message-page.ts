import { type Selectable, sql } from 'kysely';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { runCached } from '../database/cached-query.ts';
import type { Db } from '../database/store.ts';
import type { BlocksTable } from '../tables/conversation-tables.ts';
import { toBlock } from './blocks.ts';
import { listMessages, type MessageRow, toMessage } from './messages.ts';
import { isPostgres } from './search.ts';

/** Which part of a topic's messages is wanted: the newest, or those before a place. */
export interface MessagePage {
  /** At most so many messages; a page of blocks has no other limit than its blocks. */
  limit: number;
  /** At most so many blocks; a message without any counts as one. */
  blocks?: number | undefined;
  /** Only what is older than this message … */
  before?: string | undefined;
  /** … or, of that message itself, the blocks of a smaller ordinal too. */
  ordinal?: number | undefined;
}

interface Page {
  messages: Message[];
  hasEarlier: boolean;
}

/** The newest messages of a topic, or those before a place, in order of creation. */
export async function readPage(db: Db, topicId: string, page: MessagePage): Promise<Page> {
  const { blocks, before, ordinal = 0 } = page;
  if (blocks === undefined) return listMessages(db, topicId, page);
  const rows = await newestRows(db, topicId, { before, ordinal }, blocks + 1);
  return toPage(rows, blocks);
}

/**
 * Leaves the newest blocks of a page. Of the oldest message that is left there may be only the end: it
 * then says that it has earlier blocks.
 */
export function cutToBlocks<T extends Page>(page: T, blocks: number | undefined): T {
  if (blocks === undefined) return page;
  const kept: Message[] = [];
  let left = blocks;
  for (const message of page.messages.toReversed()) {
    if (left > 0) kept.push(message.blocks.length > left ? endOf(message, left) : message);
    left -= Math.max(1, message.blocks.length);
  }
  return { ...page, messages: kept.toReversed(), hasEarlier: page.hasEarlier || left < 0 };
}

function endOf(message: Message, blocks: number): Message {
  return { ...message, blocks: message.blocks.slice(-blocks), hasEarlierBlocks: true };
}

/** A block with its message, or a message that has none. */
type PageRow = MessageRow &
  Pick<Selectable<BlocksTable>, 'ordinal' | 'type' | 'content' | 'data'> & {
    block_id: string | null;
    block_status: Block['status'];
  };

/** The rounds come once a message, with its first block. */
const columns = sql`
  m.id, m.topic_id, m.parent_id, m.role, m.status, m.running, m.model, m.usage, m.created_at, m.ended_at,
  case when coalesce(b.ordinal, 0) = 0 then m.rounds end as rounds,
  b.id as block_id, b.ordinal, b.type, b.status as block_status, b.content, b.data`;

/**
 * Newest block first, each with its message: read along two indexes, so that it costs what it returns.
 * PostgreSQL would sort all blocks of a message; asked for each message separately it does not.
 */
async function newestRows(
  db: Db,
  topicId: string,
  { before, ordinal }: { before: string | undefined; ordinal: number },
  limit: number,
): Promise<PageRow[]> {
  const place = [before, topicId];
  const below = [...place, ordinal];
  const lateral = isPostgres(db) ? [...(before ? below : []), limit] : [];
  const parameters = [...lateral, topicId, ...(before ? [...place, ...below] : []), limit];
  const key = `newest blocks${before ? ' before' : ''}`;
  const { rows } = await runCached<PageRow>(db, key, parameters, () => ({
    compile: () => newestQuery(topicId, before, ordinal, limit, isPostgres(db)).compile(db),
  }));
  return rows;
}

function newestQuery(
  topicId: string,
  before: string | undefined,
  ordinal: number,
  limit: number,
  onPostgres: boolean,
) {
  const isFirst = before === undefined;
  const place = sql`(select n from messages where id = ${before} and topic_id = ${topicId})`;
  const below = isFirst ? sql`` : sql`and (m.n < ${place} or b.ordinal < ${ordinal})`;
  const lateral = sql`left join lateral (
    select id, ordinal, type, status, content, data from blocks b where b.message_id = m.id ${below} order by ordinal desc limit ${limit}
  ) b on true`;
  return sql<PageRow>`
    select ${columns} from messages m ${onPostgres ? lateral : sql`left join blocks b on b.message_id = m.id`}
    where m.topic_id = ${topicId} ${isFirst ? sql`` : sql`and m.n <= ${place}`} ${below}
    order by m.n desc, b.ordinal desc limit ${limit}`;
}

/** `rows` has one more than wanted if there is more: it tells whether that is of the same message. */
function toPage(rows: PageRow[], wanted: number): Page {
  const messages: Message[] = [];
  for (const row of rows.slice(0, wanted)) {
    const blocks = blockOf(row);
    const last = messages.at(-1);
    if (last?.id === row.id) {
      last.blocks.push(...blocks);
      if (row.rounds !== null) last.rounds = toMessage(row, []).rounds;
    } else messages.push(toMessage(row, blocks));
  }
  for (const message of messages) message.blocks = message.blocks.toReversed();
  const [next, oldest] = [rows[wanted], messages.at(-1)];
  if (next && oldest && next.id === oldest.id) oldest.hasEarlierBlocks = true;
  return { messages: messages.toReversed(), hasEarlier: next !== undefined };
}

function blockOf(row: PageRow): Block[] {
  const { block_id: id, id: message_id, block_status: status, ordinal, type, content, data } = row;
  return id === null ? [] : [toBlock({ id, message_id, status, ordinal, type, content, data })];
}
