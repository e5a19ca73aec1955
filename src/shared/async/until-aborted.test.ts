import { describe, expect, it } from 'vitest';
import { untilAborted } from './until-aborted.ts';

/** A stream that says some numbers and then nothing for ever, and knows whether it was left. */
function endless(...numbers: number[]) {
  let left = 0;
  const stream = {
    [Symbol.asyncIterator]: () => ({
      next: async (): Promise<IteratorResult<number>> => {
        const value = numbers.shift();
        return value === undefined ? new Promise(() => undefined) : { done: false, value };
      },
      return: async (): Promise<IteratorResult<number>> => {
        left += 1;
        return { done: true, value: undefined };
      },
    }),
  };
  return { stream, left: () => left };
}

async function read(stream: AsyncIterable<number>, signal: AbortSignal): Promise<number[]> {
  const seen: number[] = [];
  for await (const each of untilAborted(stream, signal)) seen.push(each);
  return seen;
}

describe('a stream that is read until a signal', () => {
  it('gives everything of one that ends', async () => {
    async function* three() {
      yield* [1, 2, 3];
    }
    expect(await read(three(), new AbortController().signal)).toEqual([1, 2, 3]);
  });

  it('ends with the signal, although it says nothing any more, and is left', async () => {
    const stop = new AbortController();
    const { stream, left } = endless(1, 2);
    const reading = read(stream, stop.signal);
    await new Promise(setImmediate);
    stop.abort();
    expect(await reading).toEqual([1, 2]);
    expect(left()).toBe(1);
  });

  it('is not begun where the signal was before it', async () => {
    const { stream } = endless(1);
    expect(await read(stream, AbortSignal.abort())).toEqual([]);
  });

  it('is left by whoever stops reading, and fails as it failed', async () => {
    const { stream, left } = endless(1, 2);
    for await (const _ of untilAborted(stream, new AbortController().signal)) break;
    expect(left()).toBe(1);
    async function* fails() {
      yield 1;
      throw new Error('no');
    }
    await expect(read(fails(), new AbortController().signal)).rejects.toThrow('no');
  });
});
