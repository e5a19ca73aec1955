import { randomUUIDv7 } from 'node:crypto';
import type { ExportedBlock, ExportedMessage } from '#shared/api/export-file.ts';
import {
  type Block,
  cutToolState,
  isBlockOpen,
  isMediaBlock,
  toolBlockStatus,
} from '#shared/vocabulary/block.ts';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { markReferences } from '#store/blobs/blob-references.ts';
import { takenIds } from '#store/conversations/exports.ts';
import { insertMessages } from '#store/conversations/messages.ts';
import { othersFirst, Slice } from '#store/database/slices.ts';
import type { Db } from '#store/database/store.ts';
import { cutErrors, cutPatch } from '../calls/cut-calls.ts';
import { untrustedFiles } from './import-origins.ts';
import type { Staging } from './staged-import.ts';

/** Messages and blocks on their way into one topic: written whenever there is a slice of them. */
export class MessageSlices {
  readonly #staging: Pick<Staging, 'write'>;
  readonly #owner: string;
  readonly #topicId: string;
  /** What is called otherwise here: files, messages and blocks. */
  readonly #ids: Map<string, string>;
  readonly #adapt: (block: ExportedBlock) => ExportedBlock;
  readonly #slice = new Slice();
  #messages: ExportedMessage[] = [];
  #blocks: { block: ExportedBlock; of: ExportedMessage }[] = [];
  #lastId: string | undefined;
  count = 0;

  constructor(
    staging: Pick<Staging, 'write'>,
    { owner, topicId }: { owner: string; topicId: string },
    ids: Map<string, string>,
    /** What becomes of a block on the way in. */
    adapt: (block: ExportedBlock) => ExportedBlock,
  ) {
    this.#staging = staging;
    this.#owner = owner;
    this.#topicId = topicId;
    this.#ids = ids;
    this.#adapt = adapt;
  }

  async add(message: ExportedMessage): Promise<void> {
    this.#messages.push(message);
    this.#lastId = message.id;
    this.count += 1;
    if (this.#slice.add(rowSize)) await this.flush();
    await this.addBlocks(message, message.blocks);
  }

  /** The last message that was written, as it is called here. */
  get last(): string | undefined {
    return this.#lastId === undefined ? undefined : this.#ids.get(this.#lastId);
  }

  /** More blocks of the message that came last. */
  async addBlocks(of: ExportedMessage, blocks: ExportedBlock[]): Promise<void> {
    for (const block of blocks) {
      this.#blocks.push({ block, of });
      if (this.#slice.add(sizeOf(block))) await this.flush();
    }
  }

  async flush(): Promise<void> {
    if (this.#slice.isEmpty) return;
    const [messages, blocks] = [this.#messages, this.#blocks];
    await this.#staging.write(async (tx) => {
      await this.#nameAnew(tx, messages, blocks);
      const rename = (id: string) => this.#ids.get(id) ?? id;
      const here = blocks.map(({ block, of }) => toBlock(this.#adapt(block), of, rename));
      await insertMessages(
        tx,
        this.#topicId,
        messages.map((message) => toMessage(message, this.#topicId, rename)),
        here,
      );
      for (const { files, origins } of here.map(untrustedFiles))
        if (files.length > 0) await markReferences(tx, this.#owner, files, origins);
    });
    this.#messages = [];
    this.#blocks = [];
    this.#slice.clear();
    await othersFirst();
  }

  /** Messages and blocks keep their ids where nobody has them. */
  async #nameAnew(
    tx: Db,
    messages: ExportedMessage[],
    blocks: { block: ExportedBlock }[],
  ): Promise<void> {
    const messageIds = messages.map(({ id }) => id);
    const taken = await takenIds(tx, 'messages', messageIds);
    for (const id of messageIds) this.#ids.set(id, taken.has(id) ? randomUUIDv7() : id);
    const blockIds = blocks.map(({ block }) => block.id);
    for (const id of await takenIds(tx, 'blocks', blockIds)) this.#ids.set(id, randomUUIDv7());
  }
}

/** About what a row takes besides its text. */
const rowSize = 200;

function sizeOf(block: ExportedBlock): number {
  const small = rowSize + block.content.length;
  if (block.type === 'tool') return small + JSON.stringify(block.result ?? null).length;
  return 'data' in block ? small + (block.data?.length ?? 0) : small;
}

/** What had not ended when it was exported does not go on here. */
function toMessage(
  message: ExportedMessage,
  topicId: string,
  rename: (id: string) => string,
): Message {
  const { blocks: _, ...fields } = message;
  const isOpen = isMessageRunning(message);
  return {
    ...fields,
    id: rename(message.id),
    topicId,
    parentId: message.parentId === null ? null : rename(message.parentId),
    ...(isOpen && { status: 'stopped', endedAt: message.endedAt ?? message.createdAt }),
    blocks: [],
  };
}

function toBlock(
  block: ExportedBlock,
  { id }: ExportedMessage,
  rename: (id: string) => string,
): Block {
  const settled = renameIn(settle(block), rename);
  return { ...settled, id: rename(block.id), messageId: rename(id) };
}

function settle(block: ExportedBlock): ExportedBlock {
  if (block.type === 'tool' && Object.hasOwn(cutToolState, block.state)) {
    const { state, reach, error } = cutPatch(block.state, cutErrors('stopped'));
    return { ...block, state, reach, status: toolBlockStatus[state], error };
  }
  return isBlockOpen(block) ? { ...block, status: 'interrupted' } : block;
}

/** The block with the ids of files, messages and blocks that it names as they are called here. */
function renameIn(block: ExportedBlock, rename: (id: string) => string): ExportedBlock {
  const file = <T extends { stored?: { id: string; size: number } | undefined }>(holder: T): T =>
    holder.stored
      ? { ...holder, stored: { ...holder.stored, id: rename(holder.stored.id) } }
      : holder;
  if (isMediaBlock(block)) return file(block);
  switch (block.type) {
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
    case 'main_text':
    case 'thinking':
    case 'translation':
    case 'code':
    case 'error':
    case 'unknown':
      return block;
  }
}
