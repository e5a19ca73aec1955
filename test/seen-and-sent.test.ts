import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { decisionSchema } from '#shared/vocabulary/policy-api.ts';
import { argumentsHash } from '#tools/policy/policy.ts';
import { describeEachDatabase, describeOnSqlite, type Fresh } from './databases.ts';
import { calls, type Round, says, ScriptedModel } from './fakes/scripted-model.ts';
import { addPliable, tool } from './fixtures/pliable.ts';
import { finished, openHost, owner, until } from './host.ts';

const model = 'test/scripted';
const asking = (message: Message) =>
  message.blocks
    .filter((block): block is ToolBlock => block.type === 'tool')
    .filter(({ approval }) => approval);

const starter =
  (fresh: Fresh) =>
  async (...rounds: Round[]) => {
    const place = await fresh();
    const host = await openHost(place, { models: { [model]: new ScriptedModel(...rounds) } });
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model });
    return { host, topic, place };
  };

describeEachDatabase((_open, fresh) => {
  const start = starter(fresh);

  describe('what is sent of a call that was asked about', () => {
    const written = [
      '{"a":1,"a":2}',
      '{"__proto__":{"polluted":true},"a":{"__proto__":1,"constructor":2}}',
      '{"huge":1e400,"zero":-0,"long":9007199254740993,"tiny":5e-324,"f":0.1}',
      '{"b":1,"a":2,"10":3,"2":4}',
      '{"s":"\\ud800","n":"\\u0000","t":"x\\u202Ey"}',
    ];

    it.each(written)('T84, T33: is what was shown, where the model wrote %s', async (text) => {
      const args = JSON.parse(text) as JsonObject;
      const { host, topic } = await start(calls(['mcp__bank__pay', args]), says('paid'));
      const bank = await addPliable(host, 'bank', { tools: [tool('pay')] });
      const { answerId } = await host.messages.send(owner, topic.id, { text: 'go' });
      const [block] = asking(await until(host, topic.id, answerId, (m) => asking(m).length > 0));
      const shown = JSON.stringify(block?.arguments);
      await host.approvals.decide(owner, block?.toolCallId ?? '', {
        decision: 'approve',
        argsHash: block?.argsHash ?? '',
        scope: 'once',
      });
      await finished(host, topic.id, answerId);
      const sent = bank.calls().map(([, each]) => each);
      expect(sent).toHaveLength(1);
      expect(JSON.stringify(sent[0])).toBe(shown);
      expect(argumentsHash(JSON.parse(shown) as JsonObject)).toBe(
        argumentsHash(sent[0] as JsonObject),
      );
    });

    it.each(written)('T84: is what a person put in its place: %s', async (text) => {
      const { host, topic } = await start(calls(['mcp__bank__pay', { n: 1 }]), says('paid'));
      const bank = await addPliable(host, 'bank', { tools: [tool('pay')] });
      const { answerId } = await host.messages.send(owner, topic.id, { text: 'go' });
      const [block] = asking(await until(host, topic.id, answerId, (m) => asking(m).length > 0));
      const shown = JSON.stringify(JSON.parse(text));
      const body = `{"decision":"approve","argsHash":"${block?.argsHash}","arguments":${shown}}`;
      const decision = decisionSchema.parse(JSON.parse(body));
      await host.approvals.decide(owner, block?.toolCallId ?? '', decision);
      await finished(host, topic.id, answerId);
      // Neither database keeps NUL and halves of characters; such are replaced, and shown so.
      const kept = shown.replaceAll(/\\ud800|\\u0000/g, '\uFFFD');
      expect(JSON.stringify(bank.calls()[0]?.[1])).toBe(kept);
    });
  });
});

// Which part of a definition was approved is compared in the host; the database only keeps it.
describeOnSqlite((_open, fresh) => {
  const start = starter(fresh);

  describe('a tool that was pinned', () => {
    const before = { tools: [tool('announce'), tool('pay')] };
    const policy = (id: string) => ({
      rules: [{ action: 'allow' as const, serverId: id, toolName: '*' }],
      trustedServers: [id],
      safeToRepeat: [],
    });

    it.each([
      { icons: [{ src: 'https://mallory.example/bank.png' }] },
      { execution: { taskSupport: 'optional' } },
      { _meta: { ui: { resourceUri: 'ui://bank/other' } } },
      { annotations: { destructiveHint: false } },
      { outputSchema: { type: 'object' } },
      { title: 'Pay less' },
    ])('T93: is refused until somebody approved %j', async (change) => {
      const { host } = await start();
      const bank = await addPliable(host, 'bank', before);
      const { id } = bank.server;
      await host.policy.write(owner, policy(id));
      const shown = async () =>
        (await host.servers.tools(owner, id)).find(({ name }) => name === 'pay');
      await shown();
      bank.say({ tools: [tool('announce'), tool('pay', change)] });
      await host.servers.restart(owner, id);
      await expect(host.callTool(owner, id, 'pay', {})).rejects.toMatchObject({
        code: 'tool_changed',
      });
      const { changed, definitionHash = '' } = (await shown()) ?? {};
      expect(changed?.after).toMatchObject(change);
      await host.servers.approveTool(owner, id, 'pay', definitionHash);
      expect(await host.callTool(owner, id, 'pay', {})).toMatchObject({ state: 'succeeded' });
    });

    it('T93: is approved as before after an upgrade, and held to all of it from then on', async () => {
      const { host, place } = await start();
      const icons = [{ src: 'https://bank.example/a.png' }];
      const first = { tools: [tool('announce'), tool('pay', { icons })] };
      const bank = await addPliable(host, 'bank', first);
      const { id } = bank.server;
      await host.policy.write(owner, policy(id));
      await host.servers.tools(owner, id);
      // As the version before would have left it.
      const db = host.store.db;
      await sql`update tool_pins set full_hash = null, definition = '{}'`.execute(db);
      const hashes = () =>
        db
          .selectFrom('tool_pins')
          .select(['tool_name', 'definition_hash'])
          .orderBy('tool_name')
          .execute();
      const known = await hashes();
      await host.close();
      const again = await openHost(place);
      onTestFinished(() => again.close());
      const shown = async () =>
        (await again.servers.tools(owner, id)).find(({ name }) => name === 'pay');
      expect(await shown()).not.toHaveProperty('changed');
      expect(await again.callTool(owner, id, 'pay', {})).toMatchObject({ state: 'succeeded' });
      const rows = await again.store.db
        .selectFrom('tool_pins')
        .selectAll()
        .orderBy('tool_name')
        .execute();
      expect(
        rows.map(({ tool_name, definition_hash }) => ({ tool_name, definition_hash })),
      ).toEqual(known);
      expect(rows.every(({ full_hash }) => full_hash?.startsWith('2:'))).toBe(true);
      bank.say({
        tools: [tool('announce'), tool('pay', { icons: [{ src: 'https://m.example/b' }] })],
      });
      await again.servers.restart(owner, id);
      expect((await shown())?.changed).toMatchObject({
        before: { icons },
        after: { icons: [{ src: 'https://m.example/b' }] },
      });
    });
  });
});
