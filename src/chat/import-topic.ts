import { randomUUIDv7 } from 'node:crypto';
import { type Block, cutToolState, toolBlockStatus } from '#shared/block.ts';
import type { ExportedBlock, ExportedMessage, ExportLine } from '#shared/export-file.ts';
import { isMessageRunning, type Message, type Topic } from '#shared/message.ts';
import { markReferences } from '#store/blob-references.ts';
import type { Blobs } from '#store/blobs.ts';
import { takenIds } from '#store/exports.ts';
import { transactInTurn } from '#store/in-turn.ts';
import { insertMessage } from '#store/messages.ts';
import type { Db, Store } from '#store/store.ts';
import { insertTopic, updateTopic } from '#store/topics.ts';
import { cutErrors, cutPatch } from './cut-calls.ts';
import type { ImportLines } from './import-file.ts';
import { asImported, untrustedFiles } from './import-origins.ts';
import { assertStill } from './visitor.ts';

type TopicLine = Extract<ExportLine, { kind: 'topic' }>;

/** What of a topic is called otherwise here. */
interface Renamed {
  assistantId: string;
  mcp: Topic['mcp'];
}

/** Passes over the files and messages of a topic that stays out. */
export async function skipTopic(lines: ImportLines): Promise<void> {
  while ((await lines.takeIf('file')) || (await lines.takeIf('piece'))) continue;
  while (await lines.takeIf('message')) continue;
}

/** Brings in a topic with its files and messages: all of it is there, or nothing. */
export async function importTopic(
  { store, blobs, owner }: { store: Store; blobs: Blobs; owner: string },
  lines: ImportLines,
  { topic }: TopicLine,
  renamed: Renamed,
): Promise<{ topic: Topic; messages: number; files: number }> {
  const kept = await keepFiles(lines, blobs, owner);
  // In turn: others may bring in the same file, and ids that nobody has are nobody's until the end.
  return await transactInTurn(store, 'import', async (tx) => {
    const isTaken = (await takenIds(tx, 'topics', [topic.id])).size > 0;
    const id = isTaken ? randomUUIDv7() : topic.id;
    const here = { ...topic, ...renamed, id, activeLeafId: null, isLoading: false };
    if (!renamed.mcp) delete here.mcp;
    await insertTopic(tx, owner, here);
    const ids = new Map<string, string>();
    for (const [old, file] of kept) ids.set(old, (await blobs.attach(tx, owner, file, id)).id);
    const messages = await insertMessages(tx, lines, { topicId: id, owner }, ids);
    const activeLeafId = ids.get(topic.activeLeafId ?? '') ?? messages.last;
    if (activeLeafId) await updateTopic(tx, owner, id, { activeLeafId });
    // Last: until then whoever signs in, or changes this person, need not wait for a long import.
    await assertStill(tx, store.dialect, owner);
    const done = { ...here, activeLeafId: activeLeafId ?? null } as Topic;
    return { topic: done, messages: messages.count, files: kept.size };
  });
}

/** The files of a topic as uploads that no message has taken yet, by their ids in the export. */
async function keepFiles(
  lines: ImportLines,
  blobs: Blobs,
  owner: string,
): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  for (let line = await lines.takeIf('file'); line; line = await lines.takeIf('file')) {
    const pieces: Buffer[] = [];
    for (let next = await lines.takeIf('piece'); next; next = await lines.takeIf('piece'))
      pieces.push(Buffer.from(next.data, 'base64'));
    const { id, mimeType, name } = line.file;
    const facts = { owner, mimeType, ...(name !== undefined && { name }) };
    kept.set(id, (await blobs.keep(Buffer.concat(pieces), facts)).id);
  }
  return kept;
}

async function insertMessages(
  tx: Db,
  lines: ImportLines,
  { topicId, owner }: { topicId: string; owner: string },
  ids: Map<string, string>,
): Promise<{ count: number; last?: string }> {
  let count = 0;
  let last: string | undefined;
  for (let line = await lines.takeIf('message'); line; line = await lines.takeIf('message')) {
    const { message } = line;
    await nameAnew(tx, message, ids);
    const here = toMessage(message, topicId, (id) => ids.get(id) ?? id);
    await insertMessage(tx, here);
    for (const { files, origins } of here.blocks.map(untrustedFiles))
      if (files.length > 0) await markReferences(tx, owner, files, origins);
    count += 1;
    last = here.id;
  }
  return { count, ...(last !== undefined && { last }) };
}

/** A message and its blocks keep their ids where nobody has them. */
async function nameAnew(tx: Db, { id, blocks }: ExportedMessage, ids: Map<string, string>) {
  const taken = await takenIds(tx, 'messages', [id]);
  ids.set(id, taken.has(id) ? randomUUIDv7() : id);
  const blockIds = blocks.map((block) => block.id);
  const takenBlocks = await takenIds(tx, 'blocks', blockIds);
  for (const block of blockIds) ids.set(block, takenBlocks.has(block) ? randomUUIDv7() : block);
}

/** What had not ended when it was exported does not go on here. */
function toMessage(
  message: ExportedMessage,
  topicId: string,
  rename: (id: string) => string,
): Message {
  const { blocks, ...fields } = message;
  const isOpen = isMessageRunning(message);
  const id = rename(message.id);
  return {
    ...fields,
    id,
    topicId,
    parentId: message.parentId === null ? null : rename(message.parentId),
    ...(isOpen && { status: 'stopped', endedAt: message.endedAt ?? message.createdAt }),
    blocks: blocks.map((block) => ({
      ...(asImported(renameIn(settle(block), rename), topicId) as Block),
      id: rename(block.id),
      messageId: id,
    })),
  } as Message;
}

function settle(block: ExportedBlock): ExportedBlock {
  if (block.type === 'tool' && Object.hasOwn(cutToolState, block.state)) {
    const { state, error } = cutPatch(block.state, cutErrors('stopped'));
    return { ...block, state, status: toolBlockStatus[state], error: error ?? undefined };
  }
  return openStatuses.has(block.status) ? { ...block, status: 'interrupted' } : block;
}

const openStatuses: ReadonlySet<string> = new Set(['pending', 'processing', 'streaming']);

/** The block with the ids of files, messages and blocks that it names as they are called here. */
function renameIn(block: ExportedBlock, rename: (id: string) => string): ExportedBlock {
  const file = <T extends { stored?: { id: string; size: number } | undefined }>(holder: T): T =>
    holder.stored
      ? { ...holder, stored: { ...holder.stored, id: rename(holder.stored.id) } }
      : holder;
  switch (block.type) {
    case 'image':
    case 'file':
    case 'video':
      return file(block);
    case 'compact':
      return {
        ...block,
        through: { ...block.through, messageId: rename(block.through.messageId) },
      };
    case 'citation':
      return { ...block, ...(block.toolBlockId && { toolBlockId: rename(block.toolBlockId) }) };
    case 'tool': {
      if (!block.result) return block;
      const { structuredStored } = block.result;
      const content = block.result.content.map((part) => ('stored' in part ? file(part) : part));
      const whole = structuredStored && {
        structuredStored: { ...structuredStored, id: rename(structuredStored.id) },
      };
      return { ...block, result: { ...block.result, content, ...whole } };
    }
    default:
      return block;
  }
}
