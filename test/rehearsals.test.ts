import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { HostOptions } from '#chat/host/host.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { describeEachDatabase } from './databases.ts';
import { addPliable, tool } from './fixtures/pliable.ts';
import { openHost, owner } from './host.ts';

const reading = { annotations: { readOnlyHint: true } };
const tools = [tool('look', reading), tool('find', reading), tool('write')];

describeEachDatabase((_open, fresh) => {
  async function start(options: Partial<HostOptions> = {}) {
    const place = await fresh();
    const host = await openHost(place, options);
    onTestFinished(() => host.close());
    const shop = await addPliable(host, 'shop', { tools }, { autoApprove: ['*'] });
    const { id } = shop.server;
    for (const [name, args] of [
      ['look', { at: 1 }],
      ['look', { at: 1 }],
      ['find', { what: 'a' }],
      ['write', { text: 'b' }],
    ] as const)
      expect(await host.callTool(owner, id, name, args)).toMatchObject({ state: 'succeeded' });
    const rehearse = async () => {
      const { launchHash, calls } = await host.rehearsals.plan(owner, id);
      const toolCallIds = calls.map(({ toolCallId }) => toolCallId);
      return host.rehearsals.rehearse(owner, id, { launchHash, toolCallIds });
    };
    return { host, place, shop, id, rehearse };
  }

  it('repeats what was recorded of tools that only read, each once, beside the server in use', async () => {
    const { host, place, shop, id, rehearse } = await start();
    const before = shop.calls().length;
    const { tools: changes, calls } = await rehearse();
    expect(changes).toEqual({ added: [], removed: [], changed: [] });
    expect(calls).toMatchObject([
      { toolName: 'find', arguments: { what: 'a' }, outcome: 'same', differences: [] },
      { toolName: 'look', arguments: { at: 1 }, outcome: 'same', differences: [] },
    ]);
    expect(shop.calls().slice(before)).toEqual([
      ['find', { what: 'a' }],
      ['look', { at: 1 }],
    ]);
    expect(host.servers.get(owner, id).state).toBe('connected');
    expect(readdirSync(join(place.home, 'processes'))).toHaveLength(1);
  });

  it('makes no calls again but those of the server', async () => {
    const { host, id } = await start();
    const other = await addPliable(host, 'other', { tools }, { autoApprove: ['*'] });
    const { id: call } = await host.callTool(owner, other.server.id, 'look', { at: 7 });
    const { launchHash } = host.servers.get(owner, id);
    const request = { launchHash, toolCallIds: [call] };
    expect(await host.rehearsals.rehearse(owner, id, request)).toMatchObject({ calls: [] });
  });

  it('writes nothing into the log that looks like a change of the server in use', async () => {
    const lines: string[] = [];
    const write = (_: object, message: string): void => void lines.push(message);
    const logger: Logger = { debug: () => undefined, info: write, warn: write, error: write };
    const { rehearse } = await start({ logger });
    lines.splice(0);
    await rehearse();
    expect(lines.filter((line) => line.startsWith('shop: '))).toEqual([]);
  });

  it('says what a new launch changes before it is approved, and approves nothing', async () => {
    const { host, shop, id, rehearse } = await start();
    await host.servers.update(owner, id, { env: { VERSION: '2' } });
    expect(host.servers.get(owner, id).state).toBe('draft');
    shop.say({
      tools: [
        tool('look', { ...reading, description: 'Other words' }),
        tool('find'),
        tool('fresh', reading),
      ],
      answers: { look: 'something else' },
    });
    const before = shop.calls().length;
    const { tools: changes, calls } = await rehearse();
    expect(changes).toEqual({ added: ['fresh'], removed: ['write'], changed: ['look', 'find'] });
    expect(calls).toMatchObject([
      { toolName: 'find', outcome: 'failed', error: { messageSaid: { id: 'rehearsal-writes' } } },
      {
        toolName: 'look',
        outcome: 'different',
        differences: [
          { path: 'content[0].text', recorded: '"did look"', replayed: '"something else"' },
        ],
      },
    ]);
    expect(shop.calls().slice(before)).toEqual([['look', { at: 1 }]]);
    expect(host.servers.get(owner, id).state).toBe('draft');
    await expect(host.callTool(owner, id, 'look', {})).rejects.toMatchObject({
      code: 'server_not_approved',
    });
  });

  it('runs exactly what was shown, to whoever may approve it', async () => {
    const { host, shop, id } = await start();
    const { launchHash, calls } = await host.rehearsals.plan(owner, id);
    await host.servers.update(owner, id, { env: { VERSION: '2' } });
    const before = shop.calls().length;
    const shown = { launchHash, toolCallIds: calls.map(({ toolCallId }) => toolCallId) };
    await expect(host.rehearsals.rehearse(owner, id, shown)).rejects.toMatchObject({
      code: 'launch_changed',
    });
    const grace = await host.users.add({ name: 'grace', role: 'user' });
    await host.enter(grace.id);
    await expect(host.rehearsals.plan(grace.id, id)).rejects.toMatchObject({ code: 'admin_only' });
    expect(shop.calls()).toHaveLength(before);
  });
});
