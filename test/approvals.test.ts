import { describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Decision, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import { transitionToolCall } from '#store/calls/tool-calls.ts';
import { bumpPolicyVersion, replaceRules } from '#store/configuration/policy-rules.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, type Round, says, ScriptedModel } from './fakes/scripted-model.ts';
import { holdNextTransaction } from './fixtures/held-store.ts';
import { addPliable, type Pliable, tool } from './fixtures/pliable.ts';
import { finished, openHost, owner, until } from './host.ts';

const model = 'test/scripted';
const bankTools = { tools: [tool('pay'), tool('look')] };
const pay = calls(['mcp__bank__pay', { n: 5 }]);

const tools = (message: Message) =>
  message.blocks.filter((block): block is ToolBlock => block.type === 'tool');
const asking = (message: Message) => tools(message).filter(({ approval }) => approval);

type Decided = Pick<ToolBlock, 'toolCallId' | 'argsHash'>;
const decide = (host: Host, { toolCallId, argsHash = '' }: Decided, more: Partial<Decision> = {}) =>
  host.approvals.decide(owner, toolCallId, {
    decision: 'approve',
    argsHash,
    scope: 'once',
    ...more,
  });
const decideCall = (host: Host, { id, argsHash }: ToolCallView, more: Partial<Decision> = {}) =>
  decide(host, { toolCallId: id, argsHash }, more);

/** Resolves with a direct call once it has ended. */
async function ended(host: Host, id: string): Promise<ToolCallView> {
  const read = () => host.approvals.get(owner, id);
  await expect.poll(async () => (await read()).endedAt, { interval: 5 }).toBeTypeOf('number');
  return read();
}

const policy = (...rules: PolicyRule[]) => ({ rules, trustedServers: [], safeToRepeat: [] });

/** Changes the rules as another host does whose word has not come through yet. */
async function writeBehind(host: Host, rules: PolicyRule[]): Promise<void> {
  await host.store.transaction(async (tx) => {
    await bumpPolicyVersion(tx, owner, Date.now());
    await replaceRules(tx, owner, rules, Date.now());
  });
}

describeEachDatabase((openDatabase, fresh, dialect) => {
  async function open(place: StoreOptions, scripted = new ScriptedModel()): Promise<Host> {
    const host = await openHost(place, { models: { [model]: scripted } });
    onTestFinished(() => host.close());
    return host;
  }

  async function start(...rounds: Round[]) {
    const scripted = new ScriptedModel(...rounds);
    const place = await fresh();
    const host = await open(place, scripted);
    const topic = await host.topics.create(owner, { model, title: 'T' });
    const bank = await addPliable(host, 'bank', bankTools);
    return { host, topic, scripted, place, bank };
  }

  async function untilAsked(host: Host, topicId: string, count = 1) {
    const { answerId } = await host.messages.send(owner, topicId, { text: 'go' });
    const seen = await until(host, topicId, answerId, (m) => asking(m).length === count);
    const [block] = asking(seen);
    if (!block) throw new Error('nothing asks');
    return { answerId, block, blocks: asking(seen) };
  }

  describe('a call that waits for approval', () => {
    const changes: [string, string, (host: Host, bank: Pliable) => Promise<unknown>][] = [
      [
        'a rule denies',
        'denied',
        (host, bank) =>
          writeBehind(host, [{ action: 'deny', serverId: bank.server.id, note: 'no pay' }]),
      ],
      [
        'is another tool',
        'tool_changed',
        async (host, bank) => {
          bank.say({ tools: [tool('pay', { description: 'Pays mallory' })] });
          await host.servers.restart(owner, bank.server.id);
        },
      ],
      [
        'is no longer there',
        'tool_not_found',
        async (host, bank) => {
          bank.say({ tools: [tool('look')] });
          await host.servers.restart(owner, bank.server.id);
        },
      ],
      [
        'a person switched off',
        'tool_not_found',
        (host, bank) => host.servers.update(owner, bank.server.id, { disabledTools: ['pay'] }),
      ],
      [
        'has a server that is disabled',
        'server_disabled',
        (host, bank) => host.servers.update(owner, bank.server.id, { disabled: true }),
      ],
      [
        'has no server any more',
        'server_not_found',
        (host, bank) => host.servers.remove(owner, bank.server.id),
      ],
      [
        'has a server that waits for approval itself',
        'server_not_approved',
        (host, bank) => host.servers.update(owner, bank.server.id, { env: { A: '1' } }),
      ],
      [
        'has another server under the same name',
        'launch_changed',
        async (host, { server: { id } }) => {
          const { launchHash } = await host.servers.update(owner, id, { env: { A: '1' } });
          await host.servers.approve(owner, id, launchHash);
        },
      ],
    ];

    it.each(changes)(
      'and %s by then is denied although somebody approves it',
      async (_, code, change) => {
        const { host, topic, bank } = await start(pay, says('ok'));
        const { answerId, block } = await untilAsked(host, topic.id);
        const direct = await host.callTool(owner, bank.server.id, 'pay', { n: 6 });
        expect(direct.state).toBe('proposed');
        await change(host, bank);
        const refused = { code: 'no_longer_allowed', status: 409, details: { reason: code } };
        await expect(decide(host, block)).rejects.toMatchObject(refused);
        await expect(decideCall(host, direct)).rejects.toMatchObject(refused);
        const answer = await finished(host, topic.id, answerId);
        expect(tools(answer)[0]).toMatchObject({ state: 'denied', error: { code } });
        expect(await ended(host, direct.id)).toMatchObject({ state: 'denied', error: { code } });
        if (code === 'denied') expect(tools(answer)[0]?.error?.message).toContain('no pay');
        await expect(decide(host, block)).rejects.toMatchObject(refused);
        await expect(decide(host, block, { decision: 'deny' })).rejects.toMatchObject({
          code: 'already_decided',
        });
        expect(bank.calls()).toEqual([]);
      },
    );

    it('stays open where its server only cannot be reached, until it is approved', async () => {
      const { host, topic, bank } = await start(pay, says('ok'));
      const { answerId, block } = await untilAsked(host, topic.id);
      await host.servers.stop(owner, bank.server.id);
      await decide(host, block);
      expect(tools(await finished(host, topic.id, answerId))[0]).toMatchObject({
        state: 'succeeded',
      });
    });

    it('goes on by itself once a rule allows it, and ends once one denies it', async () => {
      const { host, topic, bank } = await start(
        calls(['mcp__bank__pay', { n: 5 }, 'a'], ['mcp__bank__look', {}, 'b']),
        says('ok'),
      );
      const { answerId } = await untilAsked(host, topic.id, 2);
      const direct = await host.callTool(owner, bank.server.id, 'look', { n: 6 });
      const { id: serverId } = bank.server;
      await host.policy.write(
        owner,
        policy(
          { action: 'deny', serverId, toolName: 'pay' },
          { action: 'allow', serverId, toolName: 'look' },
        ),
      );
      const answer = await finished(host, topic.id, answerId);
      expect(tools(answer).map(({ state }) => state)).toEqual(['denied', 'succeeded']);
      expect(await ended(host, direct.id)).toMatchObject({ state: 'succeeded' });
      expect(bank.calls().map(([name]) => name)).toEqual(['look', 'look']);
    });

    it('goes on with the others that one approval for always covers, and saying so twice is no error', async () => {
      const { host, topic, bank } = await start(
        calls(
          ...[1, 2, 3].map((n): [string, { n: number }, string] => [
            'mcp__bank__pay',
            { n },
            `c${n}`,
          ]),
        ),
        says('ok'),
      );
      const { answerId, blocks } = await untilAsked(host, topic.id, 3);
      const results = await host.approvals.decideAll(
        owner,
        blocks.map(({ toolCallId, argsHash = '' }) => ({
          toolCallId,
          argsHash,
          decision: 'approve' as const,
          scope: 'always' as const,
        })),
      );
      expect(results.filter((each) => 'error' in each)).toEqual([]);
      const answer = await finished(host, topic.id, answerId);
      expect(tools(answer).map(({ state }) => state)).toEqual([
        'succeeded',
        'succeeded',
        'succeeded',
      ]);
      expect(bank.calls()).toHaveLength(3);
      expect((await host.policy.read(owner)).rules).toHaveLength(1);
    });

    it('goes on at the start if a rule allows it by then', async () => {
      const { host, topic, place, scripted, bank } = await start(pay, says('ok'));
      const { answerId } = await untilAsked(host, topic.id);
      await writeBehind(host, [{ action: 'allow', serverId: bank.server.id }]);
      await host.close();
      const again = await open(place, scripted);
      const answer = await finished(again, topic.id, answerId);
      expect(tools(answer)[0]).toMatchObject({ state: 'succeeded' });
      expect(bank.calls()).toEqual([['pay', { n: 5 }]]);
    });

    it('that was approved is denied by a rule that came before it was sent', async () => {
      const { host, topic, place, scripted, bank } = await start(pay, says('ok'));
      const { answerId, block } = await untilAsked(host, topic.id);
      const direct = await host.callTool(owner, bank.server.id, 'pay', { n: 6 });
      await host.close();
      const store = await openDatabase(place);
      for (const id of [block.toolCallId, direct.id])
        await transitionToolCall(store.db, id, ['proposed'], 'approved', { decidedAt: 1 });
      await bumpPolicyVersion(store.db, owner, Date.now());
      await replaceRules(store.db, owner, [{ action: 'deny', serverId: bank.server.id }], 1);
      await store.close();
      const again = await open(place, scripted);
      const answer = await finished(again, topic.id, answerId);
      expect(tools(answer)[0]).toMatchObject({ state: 'denied', error: { code: 'denied' } });
      expect(await ended(again, direct.id)).toMatchObject({ state: 'denied' });
      expect(bank.calls()).toEqual([]);
    });

    it.each([
      ['approved', 'never-left'],
      ['dispatching', 'left'],
    ] as const)('that was %s and whose tool is gone by then %s', async (state, reach) => {
      const { host, topic, place, scripted, bank } = await start(pay, says('ok'));
      const { answerId, block } = await untilAsked(host, topic.id);
      const safeToRepeat = [{ serverId: bank.server.id, toolName: 'pay' }];
      await host.policy.write(owner, { ...policy(), safeToRepeat });
      await host.close();
      bank.say({ tools: [tool('look')] });
      const store = await openDatabase(place);
      await transitionToolCall(store.db, block.toolCallId, ['proposed'], state, { decidedAt: 1 });
      await store.close();
      const again = await open(place, scripted);
      const answer = await finished(again, topic.id, answerId);
      expect(tools(answer)[0]).toMatchObject({
        state: 'failed',
        reach,
        error: { code: 'tool_not_found' },
      });
      expect(bank.calls()).toEqual([]);
    });
  });

  describe('a direct call that waits', () => {
    it('is decided after a restart, once, and its result is read then', async () => {
      const { host, place, bank } = await start();
      const { id: serverId } = bank.server;
      const [kept, refused] = [
        await host.callTool(owner, serverId, 'pay', { n: 1 }),
        await host.callTool(owner, serverId, 'pay', { n: 2 }),
      ];
      await host.close();
      const again = await open(place);
      expect((await again.approvals.waiting(owner)).map(({ id }) => id)).toEqual([
        kept.id,
        refused.id,
      ]);
      await decideCall(again, refused, { decision: 'deny' });
      await decideCall(again, kept, { arguments: { n: 3 } });
      const answers = await Promise.allSettled([
        decideCall(again, kept),
        decideCall(again, refused),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(await ended(again, kept.id)).toMatchObject({
        state: 'succeeded',
        result: { content: [{ type: 'text', text: 'did pay' }] },
      });
      expect(bank.calls()).toEqual([['pay', { n: 3 }]]);
    });

    it('goes on by a rule that is written after the restart', async () => {
      const { host, place, bank } = await start();
      const { id } = await host.callTool(owner, bank.server.id, 'pay', { n: 1 });
      await host.close();
      const again = await open(place);
      await again.policy.write(owner, policy({ action: 'allow', serverId: bank.server.id }));
      expect(await ended(again, id)).toMatchObject({ state: 'succeeded' });
      expect(bank.calls()).toHaveLength(1);
    });

    it('goes on by a rule that is written before it waits', async () => {
      const { host, bank } = await start();
      const { id: serverId } = bank.server;
      await host.servers.tools(owner, serverId);
      const held = holdNextTransaction(host.store);
      const calling = host.callTool(owner, serverId, 'pay', { n: 1 });
      await held.reached;
      await host.policy.write(owner, policy({ action: 'allow', serverId, toolName: 'pay' }));
      held.letGo();
      expect(await ended(host, (await calling).id)).toMatchObject({ state: 'succeeded' });
    });

    if (dialect === 'sqlite') return;
    it('goes on by a rule that is written on another host', async () => {
      const { host, place, bank } = await start();
      const other = await open(place);
      const { id: serverId } = bank.server;
      const call = await host.callTool(owner, serverId, 'pay', { n: 1 });
      await other.policy.write(owner, policy({ action: 'allow', serverId, toolName: 'pay' }));
      expect(await ended(host, call.id)).toMatchObject({ state: 'succeeded' });
    });

    it('is decided on another host, which runs it', async () => {
      const { host, place, bank } = await start();
      const other = await open(place);
      const call = await host.callTool(owner, bank.server.id, 'pay', { n: 1 });
      const tries = await Promise.allSettled([decideCall(other, call), decideCall(host, call)]);
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await ended(host, call.id)).toMatchObject({ state: 'succeeded' });
      expect(bank.calls()).toEqual([['pay', { n: 1 }]]);
      const left = await host.callTool(owner, bank.server.id, 'pay', { n: 2 });
      await host.close();
      await decideCall(other, left);
      expect(await ended(other, left.id)).toMatchObject({ state: 'succeeded' });
      expect(bank.calls()).toHaveLength(2);
    });
  });

  it('counts the same call three times in a row across a restart, whatever a person made of it', async () => {
    const { host, topic, place, scripted, bank } = await start(pay, pay, pay, says('enough'));
    const { answerId, block } = await untilAsked(host, topic.id);
    await decide(host, block, { arguments: { n: 1 } });
    const second = (m: Message) => asking(m).length === 1 && tools(m).length === 2;
    const seen = await until(host, topic.id, answerId, second);
    await host.close();
    const again = await open(place, scripted);
    await decide(again, asking(seen)[0] ?? block, { arguments: { n: 2 } });
    const answer = await finished(again, topic.id, answerId);
    expect(tools(answer).map(({ state, error }) => error?.code ?? state)).toEqual([
      'succeeded',
      'succeeded',
      'repeated_call',
    ]);
    expect(bank.calls()).toEqual([
      ['pay', { n: 1 }],
      ['pay', { n: 2 }],
    ]);
  });
});
