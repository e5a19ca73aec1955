import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../../test/databases.ts';
import { createToolCheckMemory } from './tool-check-memory.ts';

describe('what came out of tool checks', () => {
  describeEachDatabase((open) => {
    it('is kept of all hosts on the same data', async () => {
      const store = await open();
      const [a, b] = [createToolCheckMemory(store, 'local'), createToolCheckMemory(store, 'local')];
      await Promise.all([a.read(), b.read()]);
      await Promise.all([a.write('one', 'passed'), b.write('two', 'failed')]);
      expect(await a.read()).toEqual({ one: 'passed', two: 'failed' });
    });
  });
});
