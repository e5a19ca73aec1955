import fc from 'fast-check';
import { type Block, toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { BlockPatch, DurableEvent, EventBody } from '#shared/vocabulary/event.ts';
import type { Conversation, Message } from '#shared/vocabulary/message.ts';
import type { ToolCallState } from '#shared/vocabulary/tool.ts';

/** A topic with nothing in it yet. */
export const emptyConversation: Conversation = {
  topic: {
    id: 'topic',
    title: 'T',
    titled: false,
    assistantId: 'default',
    activeLeafId: null,
    isLoading: false,
    createdAt: 0,
    updatedAt: 0,
  },
  messages: [],
  hasEarlier: false,
  seq: 0,
};

type Step = { op: number; pick: number; text: string };
type Open = { id: string; messageId: string; type: Block['type']; length: number };

/** Any event sequence an engine could legally write: several answers, interleaved blocks, tools. */
export const legalEvents: fc.Arbitrary<DurableEvent[]> = fc
  .array(
    fc.record({
      op: fc.nat(11),
      pick: fc.nat(50),
      text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps) => new Writer().write(steps));

const toolPath: ToolCallState[] = ['approved', 'dispatching', 'parked', 'dispatching'];
const toolEnds: ToolCallState[] = ['succeeded', 'failed', 'cancelled', 'denied', 'outcome_unknown'];
const textTypes = ['main_text', 'thinking', 'translation', 'code', 'compact'] as const;

/** Walks random steps and writes down what an engine would; keeps only what it needs for that. */
class Writer {
  private events: DurableEvent[] = [];
  private messages: { id: string; running: boolean; ordinal: number }[] = [];
  private open: Open[] = [];
  private ids = 0;
  private clock = 0;

  write(steps: Step[]): DurableEvent[] {
    for (const step of steps) this.step(step);
    return this.events;
  }

  private emit(event: EventBody): void {
    this.events.push({ ...event, seq: this.events.length + 1 });
  }

  private step({ op, pick, text }: Step): void {
    this.clock += 1;
    const running = this.messages.filter((message) => message.running);
    const message = running[pick % Math.max(1, running.length)];
    const block = this.open[pick % Math.max(1, this.open.length)];
    if (op === 0 || !message) this.startMessage(pick % 3 === 0 ? 'user' : 'assistant', text);
    else if (op <= 2) this.startBlock(message, pick);
    else if (op <= 7 && block) this.change(block, pick, text);
    else if (op <= 9 && block) this.endBlock(block, pick);
    else if (op === 10) this.endMessage(message.id);
    else this.emit({ type: 'topic-update', patch: { title: text } });
  }

  private startMessage(role: Message['role'], text: string): void {
    const id = `m${(this.ids += 1)}`;
    const running = role === 'assistant';
    const message: Message = {
      id,
      topicId: 'topic',
      parentId: this.messages.at(-1)?.id ?? null,
      role,
      status: running ? 'pending' : 'success',
      createdAt: this.clock,
      ...(!running && { endedAt: this.clock }),
      blocks: running ? [] : [this.block(id, 'main_text', 0, text)],
    };
    this.messages.push({ id, running, ordinal: 0 });
    this.emit({ type: 'message-start', messageId: id, message });
  }

  private block(messageId: string, type: Block['type'], ordinal: number, content = ''): Block {
    const id = `b${(this.ids += 1)}`;
    const base = { id, messageId, ordinal, content, round: 0, startedAt: this.clock };
    if (content) return { ...base, type: 'main_text', status: 'success', endedAt: this.clock };
    if (type !== 'tool') return { ...base, type: 'main_text', status: 'streaming' };
    const names = { serverId: 's', serverName: 's', toolName: 't', modelToolName: 's__t' };
    return {
      ...base,
      ...names,
      type: 'tool',
      status: 'pending',
      toolCallId: `t${this.ids}`,
      callId: 'call_0',
      arguments: {},
      state: 'proposed',
    };
  }

  private startBlock(message: { id: string; ordinal: number }, pick: number): void {
    const type = pick % 3 === 0 ? 'tool' : textTypes[pick % textTypes.length]!;
    const block = this.block(message.id, type, message.ordinal);
    message.ordinal += 1 + (pick % 2);
    this.open.push({ id: block.id, messageId: message.id, type: block.type, length: 0 });
    this.emit({ type: 'block-start', messageId: message.id, blockId: block.id, block });
  }

  private change(block: Open, pick: number, text: string): void {
    const ids = { messageId: block.messageId, blockId: block.id };
    if (block.type !== 'tool') {
      this.emit({ type: 'block-delta', ...ids, offset: block.length, text });
      block.length += text.length;
      return;
    }
    const state = toolPath[pick % toolPath.length];
    const patch: BlockPatch<'tool'> =
      pick % 5 === 0 ? { approval: { rule: 'r' } } : { state, approval: null };
    this.emit({ type: 'block-update', ...ids, patch });
  }

  private endBlock(block: Open, pick: number): void {
    const state = toolEnds[pick % toolEnds.length]!;
    const tool = block.type === 'tool';
    this.emit({
      type: 'block-end',
      messageId: block.messageId,
      blockId: block.id,
      status: tool ? toolBlockStatus[state] : 'success',
      length: block.length,
      at: this.clock,
      ...(tool && { patch: { state, approval: null } }),
    });
    this.open.splice(this.open.indexOf(block), 1);
  }

  private endMessage(id: string): void {
    this.emit({ type: 'message-end', messageId: id, status: 'success', at: this.clock });
    this.open = this.open.filter(({ messageId }) => messageId !== id);
    for (const message of this.messages) if (message.id === id) message.running = false;
  }
}
