import { describe, expect, it } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import { insertToolCalls, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import { keyMemoryMs } from '#store/conversations/idempotency.ts';
import { describeEachDatabase } from './databases.ts';
import { openHost, owner, quietLogger } from './host.ts';

const day = 24 * 3_600_000;
const recent = Date.now() - 2 * day;

/** A call of a tool that asks nobody, with a key. */
const calculate = (host: Host) =>
  host.callTool(owner, 'calculator', 'calculate', { expression: '6*7' }, { once: 'key' });

const record = (id: string, fields: Partial<ToolCallRecord> = {}): ToolCallRecord => ({
  id,
  owner,
  round: 0,
  index: 0,
  callId: id,
  serverId: 's',
  serverName: 'server',
  toolName: 'tool',
  arguments: { secretless: id },
  argsHash: 'h',
  state: 'succeeded',
  result: { content: [{ type: 'text', text: `result of ${id}` }] },
  reach: 'ended',
  createdAt: recent,
  startedAt: recent,
  endedAt: recent,
  ...fields,
});

const idsOf = async (host: Host): Promise<string[]> =>
  (await host.data.calls.list(owner, { limit: 200 })).calls.map(({ id }) => id);

async function exported(host: Host): Promise<string> {
  let text = '';
  for await (const line of host.data.export(owner)) text += line;
  return text;
}

describe('calls outside of any conversation', () => {
  describeEachDatabase((_open, fresh) => {
    it('are listed a page at a time, newest first, each with how it ended', async () => {
      const host = await openHost(fresh);
      const ids = Array.from({ length: 5 }, (_, n) => `c${n}`);
      await insertToolCalls(
        host.store.db,
        ids.map((id, n) => record(id, { createdAt: recent + Math.floor(n / 2) })),
      );
      await insertToolCalls(host.store.db, [record('theirs', { owner: 'somebody else' })]);
      const first = await host.data.calls.list(owner, { limit: 2 });
      const second = await host.data.calls.list(owner, { limit: 2, after: first.next });
      const third = await host.data.calls.list(owner, { limit: 2, after: second.next });
      const pages = [first, second, third].map(({ calls }) => calls.map(({ id }) => id));
      expect(pages).toEqual([['c4', 'c3'], ['c2', 'c1'], ['c0']]);
      expect(third.next).toBeUndefined();
      expect(first.calls[0]).toEqual({
        id: 'c4',
        serverId: 's',
        serverName: 'server',
        toolName: 'tool',
        state: 'succeeded',
        reach: 'ended',
        createdAt: recent + 2,
        startedAt: recent,
        endedAt: recent,
      });
      await expect(host.data.calls.list(owner, { limit: 2, after: 'x' })).rejects.toThrow();
      await host.close();
    });

    it('are exported with what they were given and gave, and left out of an import', async () => {
      const host = await openHost(fresh);
      const large = 'x'.repeat(200_000);
      await insertToolCalls(host.store.db, [record('a')]);
      const kept = await host.blobs.keep(Buffer.from(large), {
        owner,
        mimeType: 'text/plain',
        callId: 'a',
      });
      const result = {
        content: [{ type: 'text', text: 'x…', stored: { id: kept.id, size: kept.size } }],
      };
      await host.store.db
        .updateTable('tool_calls')
        .set({ result: JSON.stringify(result) })
        .execute();
      const file = await exported(host);
      expect(file).toContain('"secretless":"a"');
      expect(file).toContain(large);
      const query = { dryRun: '0', existing: 'skip' } as const;
      const source = async function* () {
        yield Buffer.from(file);
      };
      expect(await host.data.import(owner, source(), query)).toMatchObject({ leftOut: [] });
      expect(await idsOf(host)).toEqual(['a']);
      await host.close();
    });

    it('are deleted by their person once they have ended, with their files', async () => {
      const host = await openHost(fresh);
      const { db } = host.store;
      await insertToolCalls(db, [
        record('ended'),
        record('open', { state: 'dispatching', endedAt: undefined, result: undefined }),
        record('other'),
        record('theirs', { owner: 'somebody else' }),
      ]);
      const kept = await host.blobs.keep(Buffer.from('bytes'), {
        owner,
        mimeType: 'text/plain',
        callId: 'ended',
      });
      await host.data.calls.remove(owner, 'ended');
      await expect(host.data.calls.remove(owner, 'ended')).rejects.toThrow("call doesn't exist");
      await expect(host.data.calls.remove(owner, 'theirs')).rejects.toThrow("call doesn't exist");
      await expect(host.data.calls.remove(owner, 'open')).rejects.toMatchObject({
        code: 'conflict',
      });
      expect(await host.blobs.find(owner, kept.id)).toBeUndefined();
      expect(await host.data.calls.removeAll(owner)).toBe(1);
      expect(await idsOf(host)).toEqual(['open']);
      await host.close();
    });

    it('T76: do not run again under a key that is still kept, although they were deleted', async () => {
      let now = Date.now();
      const place = await fresh();
      const host = await openHost(place, { now: () => now });
      const first = await calculate(host);
      expect(first.reach).toBe('ended');
      await host.data.calls.remove(owner, first.id);
      expect(await idsOf(host)).toEqual([]);
      await expect(calculate(host)).rejects.toMatchObject({
        code: 'tool_call_not_found',
      });
      await expect(host.approvals.get(owner, first.id)).rejects.toThrow("call doesn't exist");
      expect(await exported(host)).not.toContain(first.id);
      const stub = await host.store.db
        .selectFrom('tool_calls')
        .select(['arguments', 'result', 'error'])
        .where('id', '=', first.id)
        .executeTakeFirst();
      expect(stub).toEqual({ arguments: '{}', result: null, error: null });
      await host.close();
      now += keyMemoryMs + 1;
      const later = await openHost(place, { now: () => now });
      const left = () => later.store.db.selectFrom('tool_calls').select('id').execute();
      await expect.poll(left, { interval: 10 }).toEqual([]);
      await later.close();
    });

    it('that are deleted take every answer along that tells of them, and no other', async () => {
      const host = await openHost(fresh);
      const { db } = host.store;
      const at = Date.now();
      const ids = Array.from({ length: 250 }, (_, n) => `c${n}`);
      const calls = ids.map((id) => record(id, { createdAt: at }));
      await insertToolCalls(db, calls);
      const answer = (key: string, body: object, who = owner) => ({
        owner: who,
        key,
        request_hash: 'h',
        status: 200,
        body: JSON.stringify(body),
        instance: 'i',
        created_at: at,
      });
      const told = [
        answer('call', { content: [], toolCallId: 'c1' }),
        answer('name of a call', { toolCallId: 'c1' }),
        answer('decision', { id: 'c249', argsHash: 'h', arguments: { a: 1 } }),
        answer('decisions', { results: [{ toolCallId: 'c7', call: { id: 'c7', argsHash: 'h' } }] }),
        answer('other call', { content: [], toolCallId: 'c1000' }),
        answer('message', { answerId: 'c1' }),
        answer('theirs', { content: [], toolCallId: 'c1' }, 'somebody else'),
      ];
      await db.insertInto('idempotency').values(told).execute();
      expect(await host.data.calls.removeAll(owner)).toBe(250);
      const left = await db.selectFrom('idempotency').select('key').orderBy('key').execute();
      expect(left.map(({ key }) => key)).toEqual([
        'message',
        'name of a call',
        'other call',
        'theirs',
      ]);
      await host.close();
    });

    it('T92: that cannot be read keep nobody from the others, nor a host from starting', async () => {
      const place = await fresh();
      const before = await openHost(place);
      const open = { state: 'dispatching', endedAt: undefined, result: undefined } as const;
      const failed = { state: 'failed', error: { code: 'tool_failed', message: 'x' } } as const;
      await insertToolCalls(before.store.db, [
        record('broken', open),
        record('open', open),
        record('torn', failed),
        record('whole'),
      ]);
      const tear = (id: string, column: 'arguments' | 'error') =>
        before.store.db
          .updateTable('tool_calls')
          .set({ [column]: '{"a":' })
          .where('id', '=', id)
          .execute();
      await tear('broken', 'arguments');
      await tear('torn', 'error');
      await before.close();
      const logger = { ...quietLogger, error: () => undefined };
      const host = await openHost(place, { logger });
      expect((await idsOf(host)).toSorted()).toEqual(['broken', 'open', 'torn', 'whole']);
      expect(await host.approvals.get(owner, 'open')).toMatchObject({ state: 'outcome_unknown' });
      const file = await exported(host);
      expect(file).toContain('result of whole');
      expect(file.trimEnd().split('\n').at(-1)).toBe('{"kind":"end"}');
      await host.close();
    });

    it('are exported to the end although files of one of them are gone', async () => {
      const host = await openHost(fresh);
      await insertToolCalls(host.store.db, [
        record('a', {
          result: { content: [], structuredStored: { id: 'gone', size: 3 } },
        }),
        record('b'),
      ]);
      expect(await host.approvals.get(owner, 'a')).toMatchObject({ result: { content: [] } });
      const file = await exported(host);
      expect(file).toContain('result of b');
      expect(file.trimEnd().split('\n').at(-1)).toBe('{"kind":"end"}');
      await host.close();
    });

    it('are dropped when their time is over, in slices, and not before', async () => {
      const now = recent + 400 * day;
      const place = await fresh();
      const before = await openHost(place);
      const old = Array.from({ length: 450 }, (_, n) =>
        record(`old${n}`, { endedAt: now - 31 * day }),
      );
      await insertToolCalls(before.store.db, [
        ...old,
        record('new', { endedAt: now - 29 * day }),
        record('open', { state: 'proposed', endedAt: undefined, result: undefined }),
      ]);
      await before.close();
      const host = await openHost(place, { now: () => now });
      await expect.poll(() => idsOf(host), { interval: 10 }).toEqual(['open', 'new']);
      await host.close();
    });

    it('go with their person', async () => {
      const host = await openHost(fresh);
      const { id } = await host.users.add({ name: 'ana', role: 'user' });
      const theirs = Array.from({ length: 250 }, (_, n) => record(`a${n}`, { owner: id }));
      await insertToolCalls(host.store.db, [...theirs, record('mine')]);
      await host.blobs.keep(Buffer.from('b'), { owner: id, mimeType: 'text/plain', callId: 'a1' });
      await host.users.delete(owner, id);
      const left = await host.store.db.selectFrom('tool_calls').select('id').execute();
      expect(left).toEqual([{ id: 'mine' }]);
      expect(await host.store.db.selectFrom('blob_refs').select('id').execute()).toEqual([]);
      await host.close();
    });
  });
});
