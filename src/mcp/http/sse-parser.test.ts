import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { type SseEvent, SseParser } from './sse-parser.ts';

const limit = 1024;

function parse(
  pieces: (Buffer | string)[],
  maxEvent = limit,
): { parser: SseParser; events: SseEvent[] } {
  const parser = new SseParser(maxEvent);
  const events = pieces.flatMap((piece) => parser.push(Buffer.from(piece)));
  return { parser, events };
}

/** The rules of the standard, written the slow way: the whole text at once. */
function model(bytes: Buffer): { events: SseEvent[]; lastEventId: string; retry?: number } {
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const lines = text.split(/\r\n|\r|\n/);
  lines.pop();
  const state = { data: [] as string[], type: '', id: '', lastEventId: '' };
  const events: SseEvent[] = [];
  let retry: number | undefined;
  for (const line of lines) {
    const [, name, value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (line === '') {
      state.lastEventId = state.id;
      const type = state.type === '' ? 'message' : state.type;
      if (state.data.length > 0) events.push({ type, data: state.data.join('\n') });
      state.data = [];
      state.type = '';
    } else if (name === 'data') state.data.push(value);
    else if (name === 'event') state.type = value;
    else if (name === 'id' && !value.includes('\0')) state.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  }
  return { events, lastEventId: state.lastEventId, ...(retry !== undefined && { retry }) };
}

const piece = fc.constantFrom(
  'data: {"a":1}',
  'data:x',
  'data',
  'data:  two spaces',
  'data: 世界 🍒 é',
  ': comment',
  ':',
  'event: endpoint',
  'event:',
  'id: 7-α',
  'id',
  'id: a\0b',
  'retry: 250',
  'retry: soon',
  'datum: x',
  'dat',
  '\uFEFFdata: mark',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\r\r\n\n',
);

describe('an event stream', () => {
  it('means the same wherever its bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (parts, cuts) => {
          const bytes = Buffer.from(parts.join(''));
          const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted(
            (a, b) => a - b,
          );
          const pieces = [0, ...places].map((from, index) => bytes.subarray(from, places[index]));
          const { parser, events } = parse(pieces);
          const expected = model(bytes);
          expect(events).toEqual(expected.events);
          expect(parser.lastEventId).toBe(expected.lastEventId);
          expect(parser.retry).toBe(expected.retry);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('means the same byte by byte', () => {
    const text = '\uFEFFid: 1\r\nevent: a\r\ndata: 世\r\ndata: 界🍒\r\n\r\n:x\n\rdata: b\r\r';
    const { events, parser } = parse([...Buffer.from(text)].map((byte) => Buffer.from([byte])));
    expect(events).toEqual([
      { type: 'a', data: '世\n界🍒' },
      { type: 'message', data: 'b' },
    ]);
    expect(parser.lastEventId).toBe('1');
  });

  it('has an id only once an event is whole, and also by an event without data', () => {
    const { parser, events } = parse(['id: 1\ndata:\n']);
    expect(parser.lastEventId).toBe('');
    expect([...events, ...parser.push(Buffer.from('\nid: 2\n\n'))]).toEqual([
      { type: 'message', data: '' },
    ]);
    expect(parser.lastEventId).toBe('2');
  });

  it('loses an event that is too large, and only that one', () => {
    const long = `{"id":5,${'x'.repeat(5000)}"end":1}`;
    const cases = [
      [`data: ${long}\n\n`],
      ...[1, 100, 1000].map((size) => chunked(`data: ${long}\n\n`, size)),
      chunked(`data: ${long.slice(0, 900)}\ndata: ${long.slice(900)}\n\n`, 64),
    ];
    for (const pieces of cases) {
      const { events } = parse(['data: before\n\n', ...pieces, 'data: after\n\n']);
      expect(events).toEqual([
        { type: 'message', data: 'before' },
        {
          type: 'message',
          tooLarge: {
            head: expect.stringMatching(/^\{"id":5,x/),
            tail: expect.stringMatching(/x"end":1\}$/),
          },
        },
        { type: 'message', data: 'after' },
      ]);
    }
  });

  it('keeps nothing of comments, however long they are', () => {
    const parser = new SseParser(limit);
    const comment = Buffer.alloc(64 * 1024, 0x3a);
    for (let i = 0; i < 1000; i += 1) expect(parser.push(comment)).toEqual([]);
    expect(parser.push(Buffer.from('\ndata: x\n\n'))).toEqual([{ type: 'message', data: 'x' }]);
  });

  it('is read in linear time, whatever it is made of', () => {
    for (const text of ['\r', '\n', 'data\n', 'data:\r', 'x']) {
      const parser = new SseParser(8 * 1024 * 1024);
      const chunk = Buffer.from(text.repeat(2 ** 19 / text.length));
      const time = cpuTime(() => {
        for (let i = 0; i < 4; i += 1) parser.push(chunk);
      });
      expect(time, JSON.stringify(text)).toBeLessThan(3000);
    }
  });

  it('drops an id that could not be sent back', () => {
    expect(parse([`id: ${'i'.repeat(5000)}\ndata: x\n\n`], 10_000).parser.lastEventId).toBe('');
  });
});

function chunked(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
}
