import { AnswerCursor, type Piece } from '#shared/answer/answer-cursor.ts';
import { say } from '#shared/errors/sentence.ts';
import { isBlockOpen, type MediaBlock, type ToolBlock } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ContentPart } from '#shared/vocabulary/tool.ts';
import { tell } from '../messages/tell.ts';

/** An update of a session, for an editor. */
export type AcpUpdate = { sessionUpdate: string } & Record<string, unknown>;

/** Turns an answer into updates of a session: texts in order, and each call with its state. */
export class AcpUpdates {
  readonly #cursor = new AnswerCursor();
  /** The last state sent for each call. */
  readonly #calls = new Map<string, string>();

  /** The updates for what is new in the answer. */
  next(answer: Message): AcpUpdate[] {
    const updates = this.#cursor.advance(answer).flatMap((piece) => this.#toUpdates(piece));
    for (const block of answer.blocks)
      if (block.type === 'tool') updates.push(...this.#callUpdates(block));
    return updates;
  }

  #toUpdates(piece: Piece): AcpUpdate[] {
    switch (piece.type) {
      case 'text-delta':
        return [
          chunk(
            piece.block.type === 'thinking' ? 'agent_thought_chunk' : 'agent_message_chunk',
            { type: 'text', text: piece.text },
            { messageId: piece.block.messageId },
          ),
        ];
      case 'medium': {
        const { messageId } = piece.block;
        return [chunk('agent_message_chunk', mediumContent(piece.block), { messageId })];
      }
      case 'call-start': {
        const { block } = piece;
        this.#calls.set(block.toolCallId, 'pending');
        return [{ sessionUpdate: 'tool_call', status: 'pending', ...callFacts(block) }];
      }
      default:
        return [];
    }
  }

  #callUpdates(block: ToolBlock): AcpUpdate[] {
    const { toolCallId } = block;
    const before = this.#calls.get(toolCallId);
    const { status, content, stand } = standOf(block);
    if (before === undefined || before === stand) return [];
    this.#calls.set(toolCallId, stand);
    const facts = { ...callFacts(block), status };
    return [{ sessionUpdate: 'tool_call_update', ...facts, ...(content && { content }) }];
  }
}

/** A chunk of a message. */
export function chunk(sessionUpdate: string, content: object, more: object = {}): AcpUpdate {
  return { sessionUpdate, content, ...more };
}

/** A file of a message: what an editor can show, or a link. */
export function mediumContent(block: MediaBlock): object {
  const { mimeType = 'application/octet-stream', data, name, stored, id } = block;
  const [family] = mimeType.split('/');
  const isShown = data !== undefined && (family === 'image' || family === 'audio');
  const link = { type: 'resource_link', uri: `/api/blobs/${stored?.id}`, name: name ?? id };
  return isShown ? { type: family, data, mimeType } : { ...link, mimeType };
}

/** A call as an editor shows it. */
export function callFacts(block: Omit<ToolBlock, 'title'> & { title?: string | undefined }) {
  const { toolCallId, serverName, toolName, title } = block;
  const server = serverName === '' ? '' : `${serverName} · `;
  return {
    toolCallId,
    title: `${server}${title ?? toolName}`,
    kind: 'other',
    rawInput: block.proposedArguments ?? block.arguments,
  };
}

/** The state of a call: what an editor shows, and what tells it from the previous one. */
function standOf(block: ToolBlock): { status: string; stand: string; content?: object[] } {
  const { state, result, error } = block;
  if (isBlockOpen(block)) {
    const status = state === 'proposed' ? 'pending' : 'in_progress';
    if (state !== 'parked') return { status, stand: status };
    const waits = say('cli-acp-waits-for-input')`The server is waiting for your input in Cerise.`;
    return { status, stand: state, content: [textContent(tell(waits))] };
  }
  const status = state === 'succeeded' ? 'completed' : 'failed';
  const content = result?.content.map((part) => ({ type: 'content', content: toContent(part) }));
  const failure = !result && error ? [textContent(error.message)] : undefined;
  return { status, stand: status, content: content ?? failure ?? [] };
}

/** A part of a result: the parts of MCP, which editors know; a stored file is a link. */
function toContent(part: ContentPart): object {
  const { stored, ...content } = { stored: undefined, ...part };
  if (!stored || part.type === 'text') return content;
  return { type: 'resource_link', uri: `/api/blobs/${stored.id}`, name: stored.id };
}

/** Text beside a call. */
export function textContent(text: string): object {
  return { type: 'content', content: { type: 'text', text } };
}
