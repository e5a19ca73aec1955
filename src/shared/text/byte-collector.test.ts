import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteCollector, collectBytes } from './byte-collector.ts';

async function* piecesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

describe('ByteCollector', () => {
  it('holds what was appended since it was last cleared, whatever the pieces are', () => {
    const piece = fc.oneof(fc.uint8Array({ maxLength: 30_000 }), fc.constant('clear' as const));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const collector = new ByteCollector();
        let expected: number[] = [];
        for (const next of pieces) {
          if (next === 'clear') collector.clear();
          else collector.append(next);
          expected = next === 'clear' ? [] : [...expected, ...next];
          expect(collector.size).toBe(expected.length);
          expect(Buffer.from(collector.bytes()).equals(Buffer.from(expected))).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('never writes into a piece that it was given', () => {
    const [one, other] = [Uint8Array.of(1, 2), Uint8Array.of(3)];
    const collector = new ByteCollector();
    for (const piece of [one, other]) collector.append(piece);
    collector.clear();
    for (const piece of [one, other, other]) collector.append(piece);
    expect([...collector.bytes()]).toEqual([1, 2, 3, 3]);
    expect([[...one], [...other]]).toEqual([[1, 2], [3]]);
  });
});

describe('collectBytes', () => {
  const tooLarge = () => new Error('too large');

  it('gives all of a body, and nothing of none', async () => {
    const bytes = await collectBytes(piecesOf('世', 'x'), 4, tooLarge);
    expect(new TextDecoder().decode(bytes)).toBe('世x');
    expect(await collectBytes(null, 4, tooLarge)).toHaveLength(0);
  });

  it('stops as soon as there is more than there may be', async () => {
    const body = piecesOf('abc', 'de', 'never read');
    await expect(collectBytes(body, 4, tooLarge)).rejects.toThrow('too large');
    expect(await body.next()).toEqual({ done: true, value: undefined });
  });
});
