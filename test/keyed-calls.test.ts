import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from './databases.ts';
import { finished, openHost, owner } from './host.ts';

const script = join(import.meta.dirname, 'fakes/append-server.mjs');
/** Milliseconds: nobody waits for this answer. */
const never = '600000';

/** A host whose one tool writes a line at once and does not answer in time. */
async function openAppending(place: StoreOptions, config: object = {}, time = never) {
  const host = await openHost(place);
  const notes = `${place.home}-notes.txt`;
  const { id, launchHash } = await host.servers.add(owner, {
    type: 'stdio',
    name: 'notes',
    command: process.execPath,
    args: [script, notes, time],
    autoApprove: ['append'],
    ...config,
  });
  await host.servers.approve(owner, id, launchHash);
  const lines = () => {
    try {
      return readFileSync(notes, 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
  };
  return { host, id, lines };
}

const call = (host: Host, serverId: string, key = 'k'): Promise<ToolCallView> =>
  host.callTool(owner, serverId, 'append', { key }, { once: key });

const runningId = async ({ store }: Host): Promise<string> =>
  (
    await store.db
      .selectFrom('tool_calls')
      .select('id')
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow()
  ).id;

/** Lets the demo model call the tool, and resolves when it runs. */
async function askToAppend({ host, lines }: Awaited<ReturnType<typeof openAppending>>) {
  const { id: topicId } = await host.topics.create(owner, { title: 'T' });
  const text = '/call mcp__notes__append {"key":"k"}';
  const { answerId } = await host.messages.send(owner, topicId, { text });
  await expect.poll(lines, { interval: 10 }).toEqual(['k']);
  return { topicId, answerId };
}

const toolIn = ({ blocks }: Message) => blocks.find(({ type }) => type === 'tool');

describe('a call outside of answers that a person approved', () => {
  describeEachDatabase((_open, fresh) => {
    const approve = async (host: Host, { id, argsHash }: ToolCallView) =>
      host.approvals.decide(owner, id, { decision: 'approve', argsHash, scope: 'once' });

    it('stays approved where its host ends before it ran, and runs after the restart', async () => {
      const place = await fresh();
      const { host, id, lines } = await openAppending(place, { autoApprove: [] });
      const { parallelCallsPerServer: most } = usualLimits;
      const keys = Array.from({ length: most }, (_, n) => `other ${n}`);
      for (const key of keys) await approve(host, await call(host, id, key));
      await expect.poll(() => lines().toSorted(), { interval: 10 }).toEqual(keys);
      const waiting = await call(host, id);
      await approve(host, waiting);
      await host.close();
      const next = await openHost(place);
      await expect.poll(() => lines().slice(most), { interval: 10 }).toEqual(['k']);
      expect(await next.approvals.get(owner, waiting.id)).toMatchObject({ state: 'dispatching' });
      await next.close();
    });

    it('has time to end when its host drains', async () => {
      const place = await fresh();
      const { host, id } = await openAppending(place, { autoApprove: [] }, '300');
      const { id: callId } = await approve(host, await call(host, id));
      const view = () => host.approvals.get(owner, callId);
      await expect.poll(view, { interval: 10 }).toMatchObject({ state: 'dispatching' });
      await host.drain(10_000);
      expect(await view()).toMatchObject({ state: 'succeeded' });
      await host.close();
    });
  });
});

describe('T76: a call of an answer that ran and was cut', () => {
  describeEachDatabase((_open, fresh) => {
    it('by a stop is cancelled, and says that it left', async () => {
      const opened = await openAppending(await fresh());
      const { topicId, answerId } = await askToAppend(opened);
      await opened.host.messages.stop(owner, answerId);
      const answer = await finished(opened.host, topicId, answerId);
      expect(toolIn(answer)).toMatchObject({ state: 'cancelled', reach: 'left' });
      await opened.host.close();
    });

    it('by a drain is unknown after the restart, says that it left, and runs once', async () => {
      const place = await fresh();
      const opened = await openAppending(place);
      const { topicId, answerId } = await askToAppend(opened);
      await opened.host.close();
      const next = await openHost(place);
      const answer = await finished(next, topicId, answerId);
      expect(toolIn(answer)).toMatchObject({ state: 'outcome_unknown', reach: 'left' });
      await next.close();
      expect(opened.lines()).toEqual(['k']);
    });
  });
});

describe('T76: a call with a key that ran and was cut', () => {
  describeEachDatabase((_open, fresh, dialect) => {
    it('by a drain runs once, also after a restart, and says that it left', async () => {
      const place = await fresh();
      const { host, id, lines } = await openAppending(place);
      const cut = call(host, id).catch((error: unknown) => error);
      await expect.poll(lines, { interval: 10 }).toEqual(['k']);
      await host.close();
      await cut;
      const next = await openHost(place);
      const again = await call(next, id);
      expect(again).toMatchObject({ state: 'outcome_unknown', reach: 'left' });
      expect(await call(next, id)).toEqual(again);
      await next.close();
      expect(lines()).toEqual(['k']);
    });

    it('by a person runs once, before and after a restart', async () => {
      const place = await fresh();
      const { host, id, lines } = await openAppending(place);
      const first = call(host, id);
      await expect.poll(lines, { interval: 10 }).toEqual(['k']);
      expect(await host.abortCall(owner, await runningId(host))).toBe(true);
      const cut = await first;
      expect(cut).toMatchObject({ state: 'cancelled', reach: 'left' });
      expect(await call(host, id)).toEqual(cut);
      await host.close();
      const next = await openHost(place);
      expect(await call(next, id)).toEqual(cut);
      await next.close();
      expect(lines()).toEqual(['k']);
    });

    it('by its time runs once', async () => {
      const { host, id, lines } = await openAppending(await fresh(), { timeout: 1 });
      const cut = await call(host, id);
      expect(cut).toMatchObject({ state: 'timed_out', reach: 'left' });
      expect(await call(host, id)).toEqual(cut);
      await host.close();
      expect(lines()).toEqual(['k']);
    });

    it('by the end of its server runs once', async () => {
      const { host, id, lines } = await openAppending(await fresh());
      const first = call(host, id);
      await expect.poll(lines, { interval: 10 }).toEqual(['k']);
      await host.servers.stop(owner, id);
      const cut = await first;
      expect(cut.reach).toBe('left');
      expect(await call(host, id)).toEqual(cut);
      await host.close();
      expect(lines()).toEqual(['k']);
    });

    it('may be made again where it never left', async () => {
      const { host, id, lines } = await openAppending(await fresh());
      const others = Array.from(
        { length: usualLimits.parallelCallsPerServer },
        (_, n) => `other ${n}`,
      );
      const running = others.map((key) => call(host, id, key));
      await expect.poll(() => lines().toSorted(), { interval: 10 }).toEqual(others);
      const first = call(host, id);
      const waiting = () =>
        host.store.db
          .selectFrom('tool_calls')
          .select('id')
          .where('state', '=', 'approved')
          .execute();
      await expect.poll(waiting, { interval: 10 }).toHaveLength(1);
      const [{ id: waitingId } = { id: '' }] = await waiting();
      await expect.poll(() => host.abortCall(owner, waitingId), { interval: 10 }).toBe(true);
      expect(await first).toMatchObject({ state: 'cancelled', reach: 'never-left' });
      await host.servers.stop(owner, id);
      await Promise.all(running);
      const again = call(host, id);
      await expect.poll(() => lines().slice(others.length), { interval: 10 }).toEqual(['k']);
      await host.close();
      expect((await again).id).not.toBe((await first).id);
      expect(lines().slice(others.length)).toEqual(['k']);
    });

    it.skipIf(dialect === 'sqlite')(
      'by the loss of its host’s place runs once, on whatever host the key comes again',
      async () => {
        const place = await fresh();
        const { host: a, id, lines } = await openAppending(place);
        const first = call(a, id);
        await expect.poll(lines, { interval: 10 }).toEqual(['k']);
        // As if it had been cut off from the database for so long that it counts as gone.
        await a.store.db.updateTable('tool_calls').set({ owner_instance: 'gone' }).execute();
        const b = await openHost(place);
        const lost = await call(b, id);
        expect(lost).toMatchObject({ state: 'outcome_unknown', reach: 'left' });
        expect(await a.abortCall(owner, lost.id)).toBe(true);
        expect(await first).toEqual(lost);
        expect(await call(a, id)).toEqual(lost);
        await Promise.all([a.close(), b.close()]);
        expect(lines()).toEqual(['k']);
      },
    );

    it.skipIf(dialect === 'sqlite')('by a person on another host runs once', async () => {
      const place = await fresh();
      const { host: a, id, lines } = await openAppending(place);
      const b = await openHost(place);
      const first = call(a, id);
      await expect.poll(lines, { interval: 10 }).toEqual(['k']);
      expect(await b.abortCall(owner, await runningId(a))).toBe(true);
      const cut = await first;
      expect(cut).toMatchObject({ state: 'cancelled', reach: 'left' });
      expect(await b.abortCall(owner, cut.id)).toBe(false);
      expect(await call(b, id)).toEqual(cut);
      await Promise.all([a.close(), b.close()]);
      expect(lines()).toEqual(['k']);
    });

    it('as an earlier version recorded it counts as left if it had a start', async () => {
      const { host, id, lines } = await openAppending(await fresh());
      const first = call(host, id);
      await expect.poll(lines, { interval: 10 }).toEqual(['k']);
      await host.abortCall(owner, await runningId(host));
      await first;
      await host.store.db.updateTable('tool_calls').set({ reach: null }).execute();
      expect(await call(host, id)).toMatchObject({ state: 'cancelled', reach: 'left' });
      await host.close();
      expect(lines()).toEqual(['k']);
    });
  });
});
