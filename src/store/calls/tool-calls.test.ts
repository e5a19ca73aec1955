import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../../test/databases.ts';
import {
  claimToolCall,
  closeToolCalls,
  getContinuation,
  getToolCall,
  insertToolCalls,
  listOpenDirectCalls,
  listToolCalls,
  type ToolCallRecord,
  transitionToolCall,
} from './tool-calls.ts';

const call = (id: string, fields: Partial<ToolCallRecord> = {}): ToolCallRecord => ({
  id,
  owner: 'local',
  answerId: 'answer',
  round: 0,
  index: 0,
  callId: 'call_0',
  serverId: 's',
  serverName: 'S',
  toolName: 'time',
  arguments: { zone: 'x' },
  argsHash: 'h',
  state: 'proposed',
  createdAt: 1,
  ...fields,
});

describe('tool calls', () => {
  describeEachDatabase((open) => {
    it('are kept for their owner, in the order in which the model asked', async () => {
      const { db } = await open();
      const calls = [call('c', { round: 1 }), call('b', { index: 1 }), call('a')];
      await insertToolCalls(db, calls);
      expect(await getToolCall(db, 'local', 'a')).toEqual(calls[2]);
      expect(await getToolCall(db, 'other', 'a')).toBeUndefined();
      const listed = await listToolCalls(db, 'local', 'answer');
      expect(listed.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
      expect(await listToolCalls(db, 'other', 'answer')).toEqual([]);
    });

    it('exist once for each answer, round and index', async () => {
      const { db } = await open();
      await insertToolCalls(db, [call('a')]);
      await expect(insertToolCalls(db, [call('b')])).rejects.toThrow();
      const direct = { answerId: undefined };
      await insertToolCalls(db, [call('c', direct), call('d', direct)]);
      expect(await listOpenDirectCalls(db)).toHaveLength(2);
    });

    it('change state only from where they are said to be, and only one of many wins', async () => {
      const store = await open();
      await insertToolCalls(store.db, [call('a')]);
      const dispatch = () =>
        store.transaction((tx) =>
          transitionToolCall(tx, 'a', ['proposed', 'approved'], 'dispatching', {
            ownerInstance: 'i',
            fence: 3,
            startedAt: 5,
          }),
        );
      const won = await Promise.all([dispatch(), dispatch(), dispatch(), dispatch()]);
      expect(won.filter(Boolean)).toHaveLength(1);
      const result = { content: [{ type: 'text' as const, text: 'a\0b' }] };
      const { db } = store;
      const end = { result, endedAt: 9 };
      expect(await transitionToolCall(db, 'a', ['dispatching'], 'succeeded', end)).toBe(true);
      expect(await transitionToolCall(db, 'a', ['dispatching'], 'failed')).toBe(false);
      expect(await getToolCall(db, 'local', 'a')).toEqual({
        ...call('a'),
        state: 'succeeded',
        ownerInstance: 'i',
        fence: 3,
        startedAt: 5,
        endedAt: 9,
        reach: 'ended',
        result: { content: [{ type: 'text', text: 'a\ufffdb' }] },
      });
    });

    it('are closed with their answer: what was sent is unknown, the rest never ran', async () => {
      const store = await open();
      await insertToolCalls(store.db, [
        call('a', { state: 'dispatching' }),
        call('b', { index: 1 }),
        call('c', { index: 2, state: 'succeeded' }),
        call('d', { index: 3, state: 'parked' }),
      ]);
      const errors = {
        cancelled: { code: 'interrupted', message: 'It never ran.' },
        outcome_unknown: { code: 'outcome_unknown', message: 'It may have happened.' },
      } as const;
      await store.transaction((tx) => closeToolCalls(tx, 'answer', 7, errors));
      const closed = await listToolCalls(store.db, 'local', 'answer');
      expect(closed.map(({ state, error }) => [state, error])).toEqual([
        ['outcome_unknown', errors.outcome_unknown],
        ['cancelled', errors.cancelled],
        ['succeeded', undefined],
        ['outcome_unknown', errors.outcome_unknown],
      ]);
    });

    it('keep where they go on byte for byte, for their owner, until they end', async () => {
      const { db } = await open();
      await insertToolCalls(db, [call('a', { state: 'dispatching' })]);
      const continuation = { state: '{"n": 1.0}\0 \ud83d \t ü' };
      await transitionToolCall(db, 'a', ['dispatching'], 'parked', { continuation });
      expect(await getContinuation(db, 'local', 'a')).toEqual(continuation);
      expect(await getContinuation(db, 'other', 'a')).toBeUndefined();
      await transitionToolCall(db, 'a', ['parked'], 'dispatching');
      expect(await getContinuation(db, 'local', 'a')).toEqual(continuation);
      const end = { endedAt: 2, continuation: null };
      await transitionToolCall(db, 'a', ['dispatching'], 'succeeded', end);
      expect(await getContinuation(db, 'local', 'a')).toBeUndefined();
    });

    it('are taken over by one process only', async () => {
      const { db } = await open();
      const parked = call('a', { state: 'parked', ownerInstance: 'gone' });
      await insertToolCalls(db, [parked]);
      const won = await Promise.all(['x', 'y', 'z'].map((each) => claimToolCall(db, parked, each)));
      expect(won.filter(Boolean)).toHaveLength(1);
    });
  });
});
