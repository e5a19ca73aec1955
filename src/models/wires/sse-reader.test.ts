import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseReader } from './sse-reader.ts';

const most = 32 * 1024 * 1024;

function read(...pieces: (string | Buffer)[]): [event: string, data: string][] {
  const events: [string, string][] = [];
  const reader = new SseReader((event, data) => events.push([event, data]) > 0, most);
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
    [
      'CR',
      'event: x\rdata: a\rdata: b\r\rdata: c\r\r',
      [
        ['x', 'a\nb'],
        ['', 'c'],
      ],
    ],
    [
      'one line end after the other',
      'data: a\r\ndata: b\rdata: c\n\rdata: d\r\n\ndata: e\n\r\n',
      [
        ['', 'a\nb\nc'],
        ['', 'd'],
        ['', 'e'],
      ],
    ],
    ['comments and other fields', ': ping\nid: 7\nretry: 1\ndata: a\n\n', [['', 'a']]],
    ['an event without data', 'event: ping\n\ndata: a\n\n', [['', 'a']]],
    ['no event of empty data', 'data:\n\nevent: ping\ndata: \n\ndata: a\n\n', [['', 'a']]],
    ['a byte order mark', '\uFEFFdata: a\n\n', [['', 'a']]],
    ['a last event without its empty line', 'data: a\n', [['', 'a']]],
    ['a last line that is not whole', 'data: a\n\ndata: {"b', [['', 'a']]],
    ['nothing', '', []],
  ])('reads %s', (_name, text, events) => {
    expect(read(text)).toEqual(events);
  });

  it('gives an event as soon as the CR of its empty line is there', () => {
    const seen: string[] = [];
    const reader = new SseReader((_event, data) => seen.push(data) > 0, most);
    reader.push(Buffer.from('data: a\r\r'));
    expect(seen).toEqual(['a']);
    reader.push(Buffer.from('\ndata: b\n'));
    reader.push(Buffer.from('\r'));
    expect(seen).toEqual(['a', 'b']);
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
          ['', '世\n界'],
        ]);
      }),
    );
  });

  it('stops where no more is wanted', () => {
    const seen: string[] = [];
    const reader = new SseReader((_event, data) => seen.push(data) < 2, most);
    reader.push(Buffer.from('data: a\n\ndata: b\n\ndata: c\n\n'));
    reader.push(Buffer.from('data: d\n\n'));
    reader.end();
    expect(seen).toEqual(['a', 'b']);
  });

  it('refuses an event without end', () => {
    const reader = new SseReader(() => true, most);
    const piece = Buffer.alloc(16 * 1024 * 1024, 'x');
    reader.push(Buffer.from('data: '));
    const pushAll = () => {
      for (let count = 0; count < 5; count += 1) reader.push(piece);
    };
    expect(pushAll).toThrow(/without end/);
  });
});
