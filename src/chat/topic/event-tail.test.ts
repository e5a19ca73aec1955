import { describe, expect, it } from 'vitest';
import { EventTail } from './event-tail.ts';

const event = (seq: number) => ({ seq, body: `event ${seq}` });

function tailOf(first: number, last: number): EventTail {
  const tail = new EventTail(first - 1);
  for (let seq = first; seq <= last; seq += 1) tail.push(event(seq));
  return tail;
}

describe('the last events of a topic', () => {
  it('are all that came after a place, and nothing else', () => {
    const tail = tailOf(5, 9);
    expect(tail.after(4)).toEqual([5, 6, 7, 8, 9].map(event));
    expect(tail.after(7)).toEqual([8, 9].map(event));
    expect(tail.after(9)).toEqual([]);
  });

  it('are not there for a place before them, or after them', () => {
    const tail = tailOf(5, 9);
    expect(tail.after(3)).toBeUndefined();
    expect(tail.after(10)).toBeUndefined();
  });

  it('are fewer once an answer begins after many, and still without a gap', () => {
    const tail = tailOf(1, 64);
    tail.trim();
    expect(tail.after(61)).toBeUndefined();
    expect(tail.after(62)).toEqual([63, 64].map(event));
    tail.push(event(65));
    expect(tail.after(63)).toEqual([64, 65].map(event));
  });
});
