import type { Selectable } from 'kysely';
import { sanitiseText } from '#shared/text/text.ts';
import { blockTypes } from '#shared/vocabulary/block-schema.ts';
import type { Block, BlockType } from '#shared/vocabulary/block.ts';
import { inChunks } from '../database/chunks.ts';
import { objectFromJson, toJson } from '../database/json.ts';
import { insertRows } from '../database/cached-query.ts';
import { inSlices } from '../database/slices.ts';
import type { Db } from '../database/store.ts';
import type { BlocksTable } from '../tables/conversation-tables.ts';
import { readRows } from '../database/unreadable-rows.ts';

const typeSet: ReadonlySet<string> = new Set(blockTypes);

/** Writes blocks; each block is written once. */
export async function insertBlocks(tx: Db, blocks: Block[]): Promise<void> {
  await insertRows(tx, 'blocks', blocks.map(toRow));
}

/**
 * The blocks of several messages by message id, each list in order. One that is damaged fails, or is shown
 * as unknown, with its text.
 */
export async function blocksOf(
  db: Db,
  messageIds: string[],
  damaged: 'fail' | 'unknown' = 'fail',
): Promise<Map<string, Block[]>> {
  const read = (rows: Selectable<BlocksTable>[]): Block[] =>
    damaged === 'fail' ? rows.map(toBlock) : readRows(db, 'blocks', rows, toBlock, toUnknown);
  const byMessage = new Map<string, Block[]>(messageIds.map((id) => [id, []]));
  await inChunks(messageIds, 1000, async (piece) => {
    let last = { message_id: '', ordinal: -1 };
    await inSlices(async () => {
      const rows = await readBlocks(db, piece, last);
      for (const block of read(rows)) byMessage.get(block.messageId)?.push(block);
      last = rows.at(-1) ?? last;
      return rows.length === blocksAtOnce;
    });
  });
  return byMessage;
}

const blocksAtOnce = 500;

function readBlocks(
  db: Db,
  messageIds: string[],
  after: Pick<BlocksTable, 'message_id' | 'ordinal'>,
): Promise<Selectable<BlocksTable>[]> {
  return db
    .selectFrom('blocks')
    .selectAll()
    .where('message_id', 'in', messageIds)
    .where((eb) =>
      eb(eb.refTuple('message_id', 'ordinal'), '>', eb.tuple(after.message_id, after.ordinal)),
    )
    .orderBy('message_id')
    .orderBy('ordinal')
    .limit(blocksAtOnce)
    .execute();
}

function toRow(block: Block): BlocksTable {
  const { id, messageId, ordinal, type, status, content, ...data } = block;
  return {
    id,
    message_id: messageId,
    ordinal,
    type,
    status,
    content: sanitiseText(content),
    data: toJson(data),
  };
}

/** What is left of a block whose data are damaged. */
function toUnknown(row: Selectable<BlocksTable>): Block[] {
  return [toBlock({ ...row, type: 'unknown', data: toJson({ round: 0, startedAt: 0 }) })];
}

/** A type that a newer program wrote is shown as unknown; its data stay in the row. */
export function toBlock(row: Selectable<BlocksTable>): Block {
  const block = objectFromJson(row.data) as Block;
  const { type } = row;
  block.id = row.id;
  block.messageId = row.message_id;
  block.ordinal = row.ordinal;
  block.type = (typeSet.has(type) ? type : 'unknown') as BlockType;
  block.status = row.status;
  block.content = row.content;
  return block;
}
