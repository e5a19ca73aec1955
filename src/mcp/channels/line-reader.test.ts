import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from './line-reader.ts';

describe('LineReader', () => {
  it('gives the same lines however the bytes are cut', () => {
    const lines = fc.array(
      fc.string({ unit: 'grapheme', maxLength: 30 }).map((line) => line.replace(/[\r\n]/g, '')),
    );
    fc.assert(
      fc.property(lines, fc.array(fc.nat(200)), (expected, cuts) => {
        const bytes = Buffer.from(expected.map((line) => `${line}\n`).join(''));
        const places = [...new Set([0, ...cuts, bytes.length])].toSorted((a, b) => a - b);
        const reader = new LineReader(1000);
        const found = places.flatMap((place, index) =>
          reader.push(bytes.subarray(place, places[index + 1] ?? place)),
        );
        expect(found).toEqual(expected.map((text) => ({ text })));
        expect(reader.flush()).toEqual([]);
      }),
    );
  });

  it('keeps only both ends of a line that is too long, and goes on after it', () => {
    const reader = new LineReader(2000);
    const pieces = ['{"id":7,', 'x'.repeat(5000), 'y'.repeat(5000), ',"end":1}\n', 'next\n'];
    const [long, next] = pieces.flatMap((piece) => reader.push(Buffer.from(piece)));
    expect(long).toMatchObject({ bytes: 10_017, head: expect.stringMatching(/^\{"id":7,x/) });
    expect(long).toMatchObject({ tail: expect.stringMatching(/y,"end":1\}$/) });
    expect(next).toEqual({ text: 'next' });
  });

  it('cuts a carriage return and gives the rest at the end', () => {
    const reader = new LineReader(100);
    expect(reader.push(Buffer.from('a\r\n\nb'))).toEqual([{ text: 'a' }, { text: '' }]);
    expect(reader.pendingBytes).toBe(1);
    expect(reader.flush()).toEqual([{ text: 'b' }]);
  });
});
