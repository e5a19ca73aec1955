import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseReader } from './sse-reader.ts';

function read(...pieces: (string | Buffer)[]): [event: string, data: string][] {
  const events: [string, string][] = [];
  const reader = new SseReader((event, data) => events.push([event, data]) > 0);
  for (const piece of pieces) reader.push(Buffer.from(piece));
  reader.end();
  return events;
}

describe('SseReader', () => {
  it.each([
    ['one event', 'data: a\n\n', [['', 'a']]],
    [
      'its name',
      'event: x\ndata: a\n\ndata: b\n\n',
      [
        ['x', 'a'],
        ['', 'b'],
      ],
    ],
    ['no space after the colon', 'data:a\n\n', [['', 'a']]],
    ['several lines of data', 'data: a\ndata: b\n\n', [['', 'a\nb']]],
    [
      'CRLF',
      'event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n',
      [
        ['x', 'a'],
        ['', 'b'],
      ],
    ],
    ['comments and other fields', ': ping\nid: 7\nretry: 1\ndata: a\n\n', [['', 'a']]],
    ['an event without data', 'event: ping\n\ndata: a\n\n', [['', 'a']]],
    ['empty data', 'data:\n\n', [['', '']]],
    ['a byte order mark', '\uFEFFdata: a\n\n', [['', 'a']]],
    ['a last event without its empty line', 'data: a\n', [['', 'a']]],
    ['a last line that is not whole', 'data: a\n\ndata: {"b', [['', 'a']]],
    ['nothing', '', []],
  ])('reads %s', (_name, text, events) => {
    expect(read(text)).toEqual(events);
  });

  it('reads the same however the bytes are cut, in the middle of a letter as well', () => {
    const bytes = Buffer.from('event: x\r\ndata: Grüße 🙂\r\n\r\n: c\ndata: 世\ndata: 界\n\n');
    const whole = read(bytes);
    expect(whole).toEqual([
      ['x', 'Grüße 🙂'],
      ['', '世\n界'],
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (places) => {
        const cuts = [0, ...places.toSorted((a, b) => a - b), bytes.length];
        const pieces = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
        expect(read(...pieces)).toEqual(whole);
      }),
    );
  });

  it('stops where no more is wanted', () => {
    const seen: string[] = [];
    const reader = new SseReader((_event, data) => seen.push(data) < 2);
    reader.push(Buffer.from('data: a\n\ndata: b\n\ndata: c\n\n'));
    reader.push(Buffer.from('data: d\n\n'));
    reader.end();
    expect(seen).toEqual(['a', 'b']);
  });

  it('refuses an event without end', () => {
    const reader = new SseReader(() => true);
    const piece = Buffer.alloc(16 * 1024 * 1024, 'x');
    reader.push(Buffer.from('data: '));
    const pushAll = () => {
      for (let count = 0; count < 5; count += 1) reader.push(piece);
    };
    expect(pushAll).toThrow(/without end/);
  });
});
