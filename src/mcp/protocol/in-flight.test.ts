import { describe, expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';

/** Puts something in and gives its number. */
function add(inFlight: InFlight<{ id: number }>): number {
  const id = inFlight.nextId();
  inFlight.add({ id });
  return id;
}

describe('InFlight', () => {
  it('counts from one and finds what is under way, and only that', () => {
    const inFlight = new InFlight();
    expect([add(inFlight), add(inFlight), add(inFlight)]).toEqual([1, 2, 3]);
    expect(inFlight.delete(2)).toBe(true);
    expect(inFlight.delete(2)).toBe(false);
    expect([1, 2, 3].map((id) => inFlight.get(id)?.id)).toEqual([1, undefined, 3]);
    expect(inFlight.size).toBe(2);
  });

  it('knows no number that shares a slot with one under way', () => {
    const inFlight = new InFlight();
    add(inFlight);
    for (const stranger of [65, 1.5, -63, 2 ** 32 + 1, NaN, Infinity]) {
      expect(inFlight.get(stranger)).toBeUndefined();
      expect(inFlight.delete(stranger)).toBe(false);
    }
    expect(inFlight.size).toBe(1);
  });

  it('never gives a number twice, however long one of them is under way', () => {
    const inFlight = new InFlight();
    const first = add(inFlight);
    const seen = new Set([first]);
    for (let round = 0; round < 1000; round += 1) {
      const id = add(inFlight);
      expect(seen.has(id)).toBe(false);
      seen.add(id);
      inFlight.delete(id);
    }
    expect(inFlight.get(first)).toEqual({ id: first });
    expect(inFlight.size).toBe(1);
  });

  it('grows with what is under way and keeps the order', () => {
    const inFlight = new InFlight();
    const ids = Array.from({ length: 1000 }, () => add(inFlight));
    expect(inFlight.values().map(({ id }) => id)).toEqual(ids);
    expect(ids.every((id) => inFlight.get(id)?.id === id)).toBe(true);
    inFlight.clear();
    expect(inFlight.size).toBe(0);
    expect(inFlight.values()).toEqual([]);
    expect(add(inFlight)).toBeGreaterThan(1000);
  });
});
