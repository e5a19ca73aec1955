import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { Block, ToolBlock } from '#shared/vocabulary/block.ts';
import type { BlockPatch } from '#shared/vocabulary/event.ts';
import type { BlockManager, NewBlock } from '../topic/block-manager.ts';
import type { StreamCallbacks } from './stream-callbacks.ts';

/**
 * Callbacks that write every block to a block manager, and through it to its store. Any others that are
 * given are called as well, after the block was written.
 */
export function createCallbacks({
  blockManager,
  ...own
}: { blockManager: BlockManager } & StreamCallbacks): StreamCallbacks {
  const ids = new Map<string, string>();
  const start = (block: Block) => void ids.set(block.id, blockManager.start(newBlock(block)));
  const append = (block: Block, text: string) => blockManager.append(ids.get(block.id) ?? '', text);
  const change = (block: ToolBlock) =>
    blockManager.update(ids.get(block.id) ?? '', 'tool', toolFields(block));
  const end = (block: Block) => {
    const id = ids.get(block.id) ?? '';
    ids.delete(block.id);
    if (block.type === 'tool')
      blockManager.end(id, block.status, 'tool', { ...toolFields(block), result: block.result });
    else if (block.type === 'image') {
      const { mimeType, data, stored, signature } = block;
      blockManager.end(id, block.status, 'image', { mimeType, data, stored, signature });
    } else if (block.type === 'main_text' || block.type === 'thinking')
      blockManager.end(id, block.status, block.type, { signature: block.signature });
    else blockManager.end(id, block.status);
  };
  return withOwn(own, {
    onBlockCreated: start,
    onTextChunk: (delta, _text, block) => append(block, delta),
    onThinkingChunk: (delta, _text, block) => append(block, delta),
    onToolCallPending: change,
    onToolCallInProgress: change,
    onBlockComplete: end,
    onError: (error: ErrorInfo) => void blockManager.add({ type: 'error', status: 'error', error }),
  });
}

/** What of a call may become known after it began. */
function toolFields(block: ToolBlock): BlockPatch<'tool'> {
  const { state, arguments: args, signature } = block;
  const { toolName, modelToolName, serverId, serverName, title } = block;
  const names = { toolName, modelToolName, serverId, serverName, title };
  return { state, arguments: args, signature, ...names };
}

/** Calls what writes first, then the program's own. */
function withOwn(own: StreamCallbacks, writing: StreamCallbacks): StreamCallbacks {
  const both: Record<string, unknown> = { ...own };
  for (const [name, write] of Object.entries(writing)) {
    const other = own[name as keyof StreamCallbacks] as
      | ((...args: unknown[]) => unknown)
      | undefined;
    both[name] = other
      ? (...args: unknown[]) => {
          (write as (...args: unknown[]) => void)(...args);
          return other.apply(own, args);
        }
      : write;
  }
  return both;
}

/** A block as the manager wants it: identity, order, text and time are its own to give. */
function newBlock(block: Block): NewBlock {
  const {
    id: _id,
    messageId: _messageId,
    ordinal: _ordinal,
    content: _content,
    round: _round,
    startedAt: _startedAt,
    endedAt: _endedAt,
    ...fields
  } = block;
  return fields;
}
