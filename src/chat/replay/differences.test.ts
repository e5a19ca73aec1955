import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelRequest } from '#shared/vocabulary/model.ts';
import { differentRequests, withIds } from './differences.ts';

const ids = [
  '01890000-0000-7000-8000-000000000001',
  '01890000-0000-7000-8000-000000000002',
] as const;

/** A message that notes when it is written as JSON. */
function message(text: string, onWritten: () => void): ModelMessage {
  const plain = { role: 'user', parts: [{ type: 'text', text }] };
  return Object.defineProperty({ ...plain } as ModelMessage, 'toJSON', {
    value: () => (onWritten(), plain),
  });
}

/** The requests of a turn: each has what the one before had, and one message more. */
function turn(messages: ModelMessage[]): ModelRequest[] {
  return messages.map((_, end) => ({
    purpose: 'answer',
    system: '',
    messages: messages.slice(0, end + 1),
    tools: [],
    parameters: {},
  }));
}

describe('the requests of a replay', () => {
  it('T81: are compared by what is new in each', async () => {
    let written = 0;
    const make = (id: string) =>
      turn(Array.from({ length: 50 }, (_, n) => message(`${n} of ${id}`, () => (written += 1))));
    const replayed = await withIds(make(ids[1]), new Map([[ids[1], ids[0]]]));
    expect(await differentRequests(make(ids[0]), replayed)).toEqual([]);
    expect(written).toBeLessThan(4 * 50);
  });

  it('differ in a message, in their number, and in the order of fields', async () => {
    const one = turn([message('a', () => undefined), message('b', () => undefined)]);
    const other = turn([message('a', () => undefined), message('c', () => undefined)]);
    expect(await differentRequests(one, other)).toEqual([
      { path: 'requests[1].messages[1].parts[0].text', recorded: '"b"', replayed: '"c"' },
    ]);
    expect(await differentRequests(one, one.slice(0, 1))).toMatchObject([{ path: 'requests[1]' }]);
    const turned = one.map(({ purpose, ...rest }) => ({ ...rest, purpose }));
    expect(await differentRequests(one, turned)).toMatchObject([
      { path: 'requests[0]' },
      { path: 'requests[1]' },
    ]);
  });
});
