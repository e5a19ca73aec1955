import { describe, expect, it } from 'vitest';
import { SharedPlaces } from './shared-places.ts';

/** Who got in, in order, and how to leave. */
function open(count: number) {
  const places = new SharedPlaces(count);
  const inside: string[] = [];
  const leave: (() => void)[] = [];
  const take = (name: string, signal = new AbortController().signal) =>
    places.take(name, signal).then((back) => {
      inside.push(name);
      leave.push(back);
    });
  return { inside, leave, take };
}

describe('shared places', () => {
  it('keep one free for the third, however many the first two want', async () => {
    const { inside, leave, take } = open(4);
    const all = ['a', 'a', 'a', 'a', 'b', 'b', 'b'].map((name) => take(name));
    await take('c');
    expect(inside).toEqual(['a', 'a', 'b', 'c']);
    leave[3]?.();
    await take('d');
    for (let n = 0; n < 9; n += 1) {
      leave.splice(0).forEach((back) => back());
      await new Promise(setImmediate);
    }
    await Promise.all(all);
    expect(inside.toSorted()).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'd']);
  });

  it('give the only one to whoever waits longest', async () => {
    const { inside, leave, take } = open(1);
    await take('a');
    const waiting = [take('a'), take('b')];
    leave[0]?.();
    await waiting[0];
    leave[1]?.();
    await waiting[1];
    expect(inside).toEqual(['a', 'a', 'b']);
  });

  it('are not kept for those who stopped waiting', async () => {
    const { inside, leave, take } = open(1);
    await take('a');
    const stop = new AbortController();
    const given = take('b', stop.signal);
    const waiting = take('c');
    stop.abort(new Error('left'));
    await expect(given).rejects.toThrow('left');
    leave[0]?.();
    await waiting;
    expect(inside).toEqual(['a', 'c']);
  });
});
