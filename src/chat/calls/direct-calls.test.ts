import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Limiter } from '#shared/async/limiter.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import {
  type Continuation,
  shutdownReason,
  type Tool,
  type ToolContext,
} from '#shared/vocabulary/tool.ts';
import {
  askToAbort,
  claimToolCall,
  getToolCall,
  listOpenDirectCalls,
  transitionToolCall,
} from '#store/calls/tool-calls.ts';
import type { Store } from '#store/database/store.ts';
import { describeEachDatabase, type Open } from '../../../test/databases.ts';
import { owner, quietLogger } from '../../../test/host.ts';
import { AtWork } from './at-work.ts';
import { toView } from './call-view.ts';
import { callDirectly, type DirectCallsDeps } from './direct-calls.ts';
import { resumeDirectCalls } from './resume-direct-calls.ts';
import { RunningCalls } from './running-calls.ts';

type Deps = Parameters<typeof resumeDirectCalls>[0];

const done = { content: [{ type: 'text' as const, text: 'done' }] };
const away = () => new CeriseError('storage_unavailable', 'The database is away.');

/** Nothing untrusted goes out with a call. */
const noOrigins = { sending: async () => undefined, before: async () => [] };

/** A tool that does what it is told, and how often it was called. */
function toolOf(execute: (context: ToolContext) => Promise<typeof done>) {
  const calls: ToolContext[] = [];
  const tool: Tool = {
    kind: 'mcp',
    name: 't',
    serverId: 's',
    serverName: 's',
    toolName: 't',
    description: '',
    inputSchema: { type: 'object' },
    annotations: {},
    trusted: true,
    autoApproved: true,
    execute: (_, context) => {
      calls.push(context);
      return execute(context);
    },
  };
  return { tool, calls };
}

/** What a host runs direct calls with, where the policy says the same of everything. */
function depsOf(
  store: Store,
  instance: string,
  tool: Tool,
  given: Partial<Deps> = {},
  action = 'allow',
): Deps {
  const find = async (_: string, id: string) => {
    const record = await getToolCall(store.db, owner, id);
    if (!record) throw new CeriseError('tool_call_not_found', 'gone');
    return toView(record);
  };
  const approvals = { policy: async () => ({ action, rule: 'all' }), get: find };
  return {
    store,
    limits: usualLimits,
    approvals: approvals as unknown as DirectCallsDeps['approvals'],
    blobs: {} as DirectCallsDeps['blobs'],
    origins: { ...noOrigins, received: async () => [] },
    findTool: async () => tool,
    limiter: new Limiter(8),
    running: new RunningCalls(),
    atWork: new AtWork(),
    quota: { isScarce: async () => false, requireRoomIn: async () => undefined },
    logger: { ...quietLogger, error: () => undefined },
    signal: new AbortController().signal,
    instance,
    now: Date.now,
    parkedTool: () => tool,
    ...given,
  };
}

/** The store, whose nth transaction commits and then fails as if nobody had heard of it. */
function unheard(store: Store, failing: number): Store {
  let n = 0;
  const transaction: Store['transaction'] = async (work, ...rest) => {
    const result = await store.transaction(work, ...rest);
    n += 1;
    if (n === failing) throw away();
    return result;
  };
  return { ...store, transaction };
}

const call = (deps: Deps, tool: Tool, name = {}) =>
  callDirectly(deps, owner, tool, { n: 1 }, { once: 'k', ...name });

async function only(store: Store) {
  const rows = await store.db.selectFrom('tool_calls').selectAll().execute();
  expect(rows).toHaveLength(1);
  return rows[0];
}

describe('T76: a direct call', () => {
  describeEachDatabase((open: Open) => {
    it('keeps its outcome although it cannot be read at first where its words are from', async () => {
      const store = await open();
      const { tool, calls } = toolOf(async () => done);
      let tries = 0;
      const received = async () => {
        tries += 1;
        if (tries === 1) throw away();
        return [];
      };
      const origins = { ...noOrigins, received } as unknown as DirectCallsDeps['origins'];
      const view = await call(depsOf(store, 'a', tool, { origins }), tool);
      expect(view).toMatchObject({ state: 'succeeded', reach: 'ended', result: done });
      expect(calls).toHaveLength(1);
    });

    it.each([
      [1, { state: 'cancelled', reach: 'never-left' }],
      [2, { state: 'outcome_unknown', reach: 'left' }],
    ])(
      'that is left because commit %i was not heard ends as %j, and its key is free or answered',
      async (failing, end) => {
        const store = await open();
        const { tool, calls } = toolOf(async () => done);
        const deps = depsOf(unheard(store, failing), 'a', tool);
        await expect(call(deps, tool)).rejects.toMatchObject({ code: 'storage_unavailable' });
        expect((await listOpenDirectCalls(store.db)).length).toBe(1);
        await resumeDirectCalls(deps);
        expect(await only(store)).toMatchObject(end);
        expect(calls).toHaveLength(0);
        await call(deps, tool);
        expect(calls).toHaveLength(end.reach === 'never-left' ? 1 : 0);
      },
    );

    it('whose outcome could not be stored when its host ended is no success', async () => {
      const store = await open();
      const closing = new AbortController();
      const { tool, calls } = toolOf(async () => done);
      let n = 0;
      const transaction: Store['transaction'] = async (...work) => {
        n += 1;
        if (n < 3) return store.transaction(...work);
        closing.abort(shutdownReason);
        throw away();
      };
      const broken = { ...store, transaction };
      const deps = depsOf(broken, 'a', tool, { signal: closing.signal });
      await expect(call(deps, tool)).rejects.toMatchObject({ code: 'outcome_unknown' });
      await resumeDirectCalls(depsOf(store, 'b', tool));
      const view = await call(depsOf(store, 'b', tool), tool);
      expect(view).toMatchObject({ state: 'outcome_unknown', reach: 'left' });
      expect(calls).toHaveLength(1);
    });

    it('that was ended while it ran keeps the end it has', async () => {
      const store = await open();
      const { tool } = toolOf(async ({ callId }) => {
        const end = { reach: 'left' as const, endedAt: 7 };
        await transitionToolCall(store.db, callId, ['dispatching'], 'cancelled', end);
        return done;
      });
      await call(depsOf(store, 'a', tool), tool).catch(() => undefined);
      expect(await only(store)).toMatchObject({ state: 'cancelled', ended_at: 7, result: null });
    });

    it('that another host goes on with is not ended by the host that lost it', async () => {
      const store = await open();
      const wait: Continuation = { server: 'h', wait: { kind: 'input' } };
      const answered = Promise.withResolvers<void>();
      const parked = Promise.withResolvers<void>();
      const finishing = Promise.withResolvers<void>();
      const first = toolOf(async (context) => {
        await context.onParked?.(wait);
        parked.resolve();
        await answered.promise;
        await context.onUnparked?.();
        return done;
      });
      const second = toolOf(async (context) => {
        await context.onUnparked?.();
        answered.resolve();
        await finishing.promise;
        return done;
      });
      const cut = call(depsOf(store, 'a', first.tool), first.tool).catch((error: unknown) => error);
      await parked.promise;
      const b = depsOf(store, 'b', second.tool);
      await resumeDirectCalls(b, async () => new Set(['a']));
      expect(await cut).toMatchObject({ code: 'outcome_unknown' });
      expect(await only(store)).toMatchObject({ state: 'dispatching', owner_instance: 'b' });
      finishing.resolve();
      const state = async () => (await only(store))?.state;
      await expect.poll(state, { interval: 10 }).toBe('succeeded');
      expect(second.calls).toHaveLength(1);
    });

    it('that is to be stopped does not go on at the host that takes it over', async () => {
      const store = await open();
      const wait: Continuation = { server: 'h', wait: { kind: 'input' } };
      const parked = Promise.withResolvers<void>();
      const closing = new AbortController();
      const first = toolOf(async ({ signal, ...context }) => {
        await context.onParked?.(wait);
        parked.resolve();
        await once(signal, 'abort');
        throw new CallError('left', 'cancelled', 'cut');
      });
      const a = depsOf(store, 'a', first.tool, { signal: closing.signal });
      const cut = call(a, first.tool).catch((error: unknown) => error);
      await parked.promise;
      await askToAbort(store.db, (await only(store))?.id ?? '', 1);
      closing.abort(shutdownReason);
      expect(await cut).toMatchObject({ code: 'shutting_down' });
      let sent = 0;
      const second = toolOf(async ({ signal }) => {
        if (signal.aborted) throw new CallError('left', 'cancelled', 'stopped');
        sent += 1;
        return done;
      });
      await resumeDirectCalls(depsOf(store, 'b', second.tool), async () => new Set(['a']));
      const state = async () => (await only(store))?.state;
      await expect.poll(state, { interval: 10 }).toBe('cancelled');
      expect(sent).toBe(0);
    });

    it('that another host has taken is not sent by the host that lost it', async () => {
      const store = await open();
      const { tool, calls } = toolOf(async () => done);
      const limiter = new Limiter(1);
      limiter.tryAcquire('s');
      const deps = depsOf(store, 'a', tool, { limiter });
      const cut = call(deps, tool).catch((error: unknown) => error);
      const openCall = async () => (await listOpenDirectCalls(store.db))[0];
      await expect.poll(openCall, { interval: 10 }).toBeDefined();
      const record = await openCall();
      if (!record) throw new Error('there is no call');
      expect(await claimToolCall(store.db, record, 'b')).toBe(true);
      limiter.release('s');
      expect(await cut).toMatchObject({ code: 'conflict' });
      expect(await only(store)).toMatchObject({ state: 'approved', owner_instance: 'b' });
      expect(calls).toHaveLength(0);
    });

    it('gives its first outcome although its policy or its schema would refuse it by now', async () => {
      const store = await open();
      const { tool, calls } = toolOf(async () => {
        throw new CallError('left', 'timed_out', 'too long');
      });
      const deps = depsOf(store, 'a', tool);
      const first = await call(deps, tool);
      expect(first).toMatchObject({ state: 'timed_out', reach: 'left' });
      const strict = depsOf(store, 'a', tool, {}, 'deny');
      expect(await call(strict, tool)).toEqual(first);
      const changed = { ...tool, inputSchema: { type: 'object' as const, required: ['other'] } };
      expect(await call(deps, changed)).toEqual(first);
      expect(calls).toHaveLength(1);
    });

    it('of one name is made once by hosts that begin it at the same moment', async () => {
      const store = await open();
      const { tool, calls } = toolOf(async () => done);
      const hosts = ['a', 'b', 'c', 'd'].map((name) => depsOf(store, name, tool));
      for (let n = 0; n < 10; n += 1) {
        const name = { id: `c${n}`, once: undefined };
        const ends = await Promise.allSettled(hosts.map((deps) => call(deps, tool, name)));
        const codes = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
        expect(codes).toEqual(['conflict', 'conflict', 'conflict']);
      }
      expect(calls).toHaveLength(10);
    });

    it('with a name and a key gives its first outcome under both, and conflicts under another', async () => {
      const store = await open();
      const { tool, calls } = toolOf(async () => {
        throw new CallError('left', 'timed_out', 'too long');
      });
      const deps = depsOf(store, 'a', tool);
      const first = await call(deps, tool, { id: 'mine' });
      expect(first.id).toBe('mine');
      expect(await call(deps, tool, { id: 'mine' })).toEqual(first);
      for (const name of [
        { id: 'mine', once: 'other' },
        { id: 'mine', once: undefined },
      ])
        await expect(call(deps, tool, name)).rejects.toMatchObject({ code: 'conflict' });
      expect(calls).toHaveLength(1);
    });
  });
});

describe('T80: calls outside chats that wait for a person', () => {
  describeEachDatabase((open: Open) => {
    it('are bounded for each person, also where all come at once', async () => {
      const store = await open();
      const { tool } = toolOf(async () => done);
      const limits = { ...usualLimits, waitingCalls: 3 };
      const waits = { wait: () => new Promise<never>(() => undefined), get: async () => ({}) };
      const policy = async () => ({ action: 'ask', rule: 'all' });
      const approvals = { policy, ...waits } as unknown as DirectCallsDeps['approvals'];
      const deps = depsOf(store, 'a', tool, { limits, approvals });
      const tries = await Promise.allSettled(
        Array.from({ length: 10 }, () => callDirectly(deps, owner, tool, {})),
      );
      const refused = tries.filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(7);
      expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests' } });
      expect(await callDirectly(deps, 'somebody', tool, {})).toMatchObject({ state: 'proposed' });
    });
  });
});
