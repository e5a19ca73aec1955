import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { long, LongFirst } from './long-first.ts';

const root = resolve(import.meta.dirname, '..');

describe('the order of the test files', () => {
  it.each(long)('knows %s, which is there', (file) => {
    expect(existsSync(join(root, file))).toBe(true);
  });

  it('is by group, then files with a process of their own, then long ones, then by time', async () => {
    const durations: Record<string, number> = {};
    const file = (name: string, groupOrder: number, isolate: boolean, duration: number) => {
      durations[name] = duration;
      const config = { root, isolate, sequence: { groupOrder } };
      return { moduleId: join(root, name), project: { name: `${groupOrder}${isolate}`, config } };
    };
    const getTestSpecificationResult = ({ moduleId }: TestSpecification) => ({
      failed: false,
      duration: durations[moduleId.slice(root.length + 1)],
    });
    const order = new LongFirst({ cache: { getTestSpecificationResult } } as unknown as Vitest);
    const files = [
      file('later.test.ts', 1, true, 9),
      file('short.test.ts', 0, false, 1),
      file('longer.test.ts', 0, false, 5),
      file(long[0] ?? '', 0, false, 2),
      file('apart.test.ts', 0, true, 3),
    ] as unknown as TestSpecification[];
    const sorted = await order.sort(files);
    expect(sorted.map(({ moduleId }) => moduleId.slice(root.length + 1))).toEqual([
      'apart.test.ts',
      long[0],
      'longer.test.ts',
      'short.test.ts',
      'later.test.ts',
    ]);
  });
});
