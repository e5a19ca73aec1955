import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, type SseMessage } from './sse-parser.ts';

function parse(chunks: string[]): SseMessage[] {
  const read = createSseParser();
  return chunks.flatMap((chunk) => read(chunk));
}

describe('createSseParser', () => {
  it('gives each event with its id once its blank line has arrived', () => {
    expect(parse(['id: 4\ndata: {"a":1}\n', '\n', 'data: tail'])).toEqual([
      { id: '4', data: '{"a":1}' },
    ]);
  });

  it('skips heartbeats and keeps an id to its own event', () => {
    expect(parse([': beat\n\nid:7\ndata:x\n\ndata:y\n\n'])).toEqual([
      { id: '7', data: 'x' },
      { data: 'y' },
    ]);
  });

  it('joins several data lines', () => {
    expect(parse(['data: a\ndata:  b\n\n'])).toEqual([{ data: 'a\n b' }]);
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
        expect(parse(chunks)).toEqual(parse([text]));
      }),
    );
  });
});
