import { describe, expect, it } from 'vitest';
import type { Block } from '../vocabulary/block.ts';
import type { Message } from '../vocabulary/message.ts';
import { AnswerCursor } from './answer-cursor.ts';

const common = { messageId: 'm', round: 0, startedAt: 1 };
const text = (ordinal: number, content: string, status: Block['status']): Block => ({
  ...common,
  id: `m.${ordinal}`,
  ordinal,
  type: 'main_text',
  content,
  status,
});
const call = (ordinal: number, content: string, status: Block['status']): Block => ({
  ...common,
  id: `m.${ordinal}`,
  ordinal,
  type: 'tool',
  content,
  status,
  client: true,
  toolCallId: `c${ordinal}`,
  callId: 'c',
  serverId: 'client',
  serverName: '',
  toolName: 'mine',
  modelToolName: 'mine',
  arguments: {},
  state: status === 'success' ? 'succeeded' : 'proposed',
});
const answer = (status: Message['status'], ...blocks: Block[]): Message => ({
  id: 'm',
  topicId: 't',
  parentId: null,
  role: 'assistant',
  status,
  createdAt: 1,
  blocks,
});

/** What is told of an answer as it grows, in short. */
function told(cursor: AnswerCursor, ...states: Message[]): string[] {
  return states
    .flatMap((state) => cursor.advance(state))
    .map((piece) => `${piece.type}${'text' in piece ? ` ${piece.text}` : ''}`);
}

describe('an answer whose process ended in the middle', () => {
  const cut = [text(0, 'Half', 'interrupted'), call(1, '{"a', 'interrupted')];
  const whole = [...cut, text(2, 'Whole', 'success'), call(3, '{"a": 1}', 'success')];
  const end = answer('success', ...whole);
  const again = [
    'text-start',
    'text-delta Whole',
    'text-end',
    'call-start',
    'call-delta {"a": 1}',
    'call-ready',
    'finish',
  ];

  it('is told without what was said again', () => {
    expect(told(new AnswerCursor(0, { skipsCut: true }), end)).toEqual(again);
  });

  it('goes on for a reader that had heard some of it', () => {
    const cursor = new AnswerCursor(0, { skipsCut: true });
    const before = answer('processing', text(0, 'Ha', 'streaming'));
    expect(
      told(cursor, before, answer('success', ...cut.slice(0, 1), ...whole.slice(2, 3))),
    ).toEqual([
      'text-start',
      'text-delta Ha',
      'text-delta lf',
      'text-end',
      'text-start',
      'text-delta Whole',
      'text-end',
      'finish',
    ]);
  });

  it('tells what was being written once it is known to go on, to a reader that joins', () => {
    const cursor = new AnswerCursor(0, { skipsCut: true, joins: true });
    const open = answer('processing', text(0, 'Ha', 'streaming'));
    expect(told(cursor, open, structuredClone(open))).toEqual([]);
    expect(told(cursor, answer('processing', text(0, 'Half', 'streaming')))).toEqual([
      'text-start',
      'text-delta Half',
    ]);
    const other = new AnswerCursor(0, { skipsCut: true, joins: true });
    expect(told(other, open, answer('processing', ...cut.slice(0, 1)), end)).toEqual(again);
  });

  it('is told from there on to a reader that had heard more than was kept', () => {
    const cursor = new AnswerCursor();
    told(cursor, answer('processing', text(0, 'Half and much more that is lost', 'streaming')));
    const rest = new AnswerCursor(cursor.at);
    expect(told(rest, end).slice(-again.length)).toEqual(again);
  });

  it('has the same places for everybody', () => {
    const [first, second] = [new AnswerCursor(), new AnswerCursor(0, { skipsCut: true })];
    const places = [first, second].map((cursor) => cursor.advance(end).map(({ at }) => at));
    expect(places[0]?.slice(-again.length)).toEqual(places[1]);
  });
});

describe('a reader that comes back in the middle of a text', () => {
  it('is told the rest of it, and nothing twice', () => {
    const cursor = new AnswerCursor();
    told(cursor, answer('processing', text(0, 'Hel', 'streaming')));
    const rest = new AnswerCursor(cursor.at);
    const end = answer('success', text(0, 'Hello', 'success'));
    expect(told(rest, end)).toEqual(['text-delta lo', 'text-end', 'finish']);
  });
});
