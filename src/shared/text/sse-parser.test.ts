import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { createSseParser, type SseEvent, type SseMessage, SseParser } from './sse-parser.ts';

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
  const state = { data: [] as string[], type: '', lastEventId: '' };
  let id: string | undefined;
  const events: SseEvent[] = [];
  let retry: number | undefined;
  for (const line of lines) {
    const [, name, value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (line === '') {
      state.lastEventId = id ?? state.lastEventId;
      const type = state.type === '' ? 'message' : state.type;
      if (state.data.length > 0) events.push({ event: type, data: state.data.join('\n'), id });
      state.data = [];
      state.type = '';
      id = undefined;
    } else if (name === 'data') state.data.push(value);
    else if (name === 'event') state.type = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
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
      { event: 'a', data: '世\n界🍒', id: '1' },
      { event: 'message', data: 'b' },
    ]);
    expect(parser.lastEventId).toBe('1');
  });

  it('has an id only once an event is whole, and also by an event without data', () => {
    const { parser, events } = parse(['id: 1\ndata:\n']);
    expect(parser.lastEventId).toBe('');
    expect([...events, ...parser.push(Buffer.from('\nid: 2\n\n'))]).toEqual([
      { event: 'message', data: '', id: '1' },
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
        { event: 'message', data: 'before' },
        {
          event: 'message',
          tooLarge: {
            head: expect.stringMatching(/^\{"id":5,x/),
            tail: expect.stringMatching(/x"end":1\}$/),
          },
        },
        { event: 'message', data: 'after' },
      ]);
    }
  });

  it('keeps nothing of comments, however long they are', () => {
    const parser = new SseParser(limit);
    const comment = Buffer.alloc(64 * 1024, 0x3a);
    for (let i = 0; i < 1000; i += 1) expect(parser.push(comment)).toEqual([]);
    expect(parser.push(Buffer.from('\ndata: x\n\n'))).toEqual([{ event: 'message', data: 'x' }]);
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

describe('the events of a stream that ends', () => {
  it.each([
    ['one event', 'data: a\n\n', [['message', 'a']]],
    [
      'its name',
      'event: x\ndata: a\n\ndata: b\n\n',
      [
        ['x', 'a'],
        ['message', 'b'],
      ],
    ],
    ['no space after the colon', 'data:a\n\n', [['message', 'a']]],
    ['several lines of data', 'data: a\ndata: b\n\n', [['message', 'a\nb']]],
    [
      'CRLF',
      'event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n',
      [
        ['x', 'a'],
        ['message', 'b'],
      ],
    ],
    [
      'CR',
      'event: x\rdata: a\rdata: b\r\rdata: c\r\r',
      [
        ['x', 'a\nb'],
        ['message', 'c'],
      ],
    ],
    [
      'one line end after the other',
      'data: a\r\ndata: b\rdata: c\n\rdata: d\r\n\ndata: e\n\r\n',
      [
        ['message', 'a\nb\nc'],
        ['message', 'd'],
        ['message', 'e'],
      ],
    ],
    ['comments and other fields', ': ping\nid: 7\nretry: 1\ndata: a\n\n', [['message', 'a']]],
    ['an event without data', 'event: ping\n\ndata: a\n\n', [['message', 'a']]],
    [
      'empty data',
      'data:\n\nevent: ping\ndata: \n\ndata: a\n\n',
      [
        ['message', ''],
        ['ping', ''],
        ['message', 'a'],
      ],
    ],
    ['a byte order mark', '\uFEFFdata: a\n\n', [['message', 'a']]],
    ['a last event without its empty line', 'data: a\n', [['message', 'a']]],
    ['a last line that is not whole', 'data: a\n\ndata: {"b', [['message', 'a']]],
    ['nothing', '', []],
  ])('reads %s', (_name, text, events) => {
    expect(read(text)).toEqual(events);
  });

  it('gives an event as soon as the CR of its empty line is there', () => {
    const parser = new SseParser(limit);
    const read = (text: string) => parser.push(Buffer.from(text)).map(nameAndData);
    expect(read('data: a\r\r')).toEqual([['message', 'a']]);
    expect(read('\ndata: b\n')).toEqual([]);
    expect(read('\r')).toEqual([['message', 'b']]);
  });

  it('reads the same however the bytes are cut and lines end, in the middle of a letter as well', () => {
    const lines = ['event: x', 'data: Grüße 🙂', '', ': c', 'data: 世', 'data: 界', '', ''];
    const lineEnds = fc.array(fc.constantFrom('\n', '\r\n', '\r'), {
      minLength: lines.length,
      maxLength: lines.length,
    });
    fc.assert(
      fc.property(lineEnds, fc.array(fc.nat({ max: 90 })), (ends, places) => {
        let text = '';
        for (const [index, line] of lines.entries()) {
          // An LF for an empty line would belong to the CR before it.
          text += line || !text.endsWith('\r') ? line + ends[index] : '\r';
        }
        const bytes = Buffer.from(text);
        const cuts = [0, ...places.toSorted((a, b) => a - b), bytes.length];
        const pieces = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
        expect(read(...pieces)).toEqual([
          ['x', 'Grüße 🙂'],
          ['message', '世\n界'],
        ]);
      }),
    );
  });

  it('says while it comes that an event is too large', () => {
    const parser = new SseParser(limit);
    parser.push(Buffer.from('data: '));
    expect(parser.isLosing).toBe(false);
    for (let count = 0; count < 5; count += 1) parser.push(Buffer.alloc(limit / 2, 'x'));
    expect(parser.isLosing).toBe(true);
    parser.push(Buffer.from('\n\n'));
    expect(parser.isLosing).toBe(false);
  });
});

describe('createSseParser', () => {
  it('gives each event with its id once its blank line has arrived', () => {
    expect(parseText(['id: 4\ndata: {"a":1}\n', '\n', 'data: tail'])).toEqual([
      { id: '4', event: 'message', data: '{"a":1}' },
    ]);
  });

  it('skips heartbeats and keeps an id to its own event', () => {
    expect(parseText([': beat\n\nid:7\ndata:x\n\ndata:y\n\n'])).toEqual([
      { id: '7', event: 'message', data: 'x' },
      { event: 'message', data: 'y' },
    ]);
  });

  it('joins several data lines', () => {
    expect(parseText(['data: a\ndata:  b\n\n'])).toEqual([{ event: 'message', data: 'a\n b' }]);
  });

  it('gives the same events however the stream is cut', () => {
    const field = fc.constantFrom(
      'data: x',
      'data:',
      'id: 3',
      ': beat',
      '',
      'event: e',
      'odd',
      'data: 中',
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const stream = fc
      .array(fc.tuple(field, end), { maxLength: 12 })
      .map((lines) => `${lines.map((line) => line.join('')).join('')}data: end\n\n`);
    fc.assert(
      fc.property(stream, fc.array(fc.nat(40), { maxLength: 6 }), (text, cuts) => {
        const at = [
          0,
          ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b),
          text.length,
        ];
        const chunks = at.slice(1).map((stop, index) => text.slice(at[index], stop));
        expect(parseText(chunks)).toEqual(parseText([text]));
      }),
    );
  });
});

function chunked(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
}

/** The events of a whole stream, its last one without an empty line included. */
function read(...pieces: (string | Buffer)[]): [event: string, data: string][] {
  const { parser, events } = parse(pieces);
  return [...events, ...parser.end()].map(nameAndData);
}

function nameAndData(event: SseEvent): [event: string, data: string] {
  return [event.event, 'data' in event ? event.data : 'too large'];
}

function parseText(chunks: string[]): SseMessage[] {
  const parseChunk = createSseParser();
  return chunks.flatMap((chunk) => parseChunk(Buffer.from(chunk)));
}
