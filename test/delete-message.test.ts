import { expect, it, onTestFinished } from 'vitest';
import { untilAborted } from '#shared/async/until-aborted.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, says, type Round, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, finished, openHost, owner, until, watch } from './host.ts';
import { illegalities } from './legal-conversation.ts';

const model = 'test/scripted';

const hangs: Round = async function* (_request, signal) {
  yield [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', text: 'begun' },
  ];
  const never = (async function* () {
    await new Promise(() => undefined);
    yield [];
  })();
  yield* untilAborted(never, signal);
};

describeEachDatabase((_open, fresh) => {
  async function start(...rounds: Round[]) {
    const place = await fresh();
    const reads = {
      name: 'read',
      description: 'Reads',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      execute: async () => ({ content: [{ type: 'text' as const, text: 'x'.repeat(100_000) }] }),
    };
    const options = { models: { [model]: new ScriptedModel(...rounds) }, tools: [reads] };
    const host = await openHost(place, options);
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model, title: 'T' });
    return { host, topic, place, options };
  }

  it('takes what hangs below it along, and shows the version beside it', async () => {
    const { host, topic, place, options } = await start(
      says('first version'),
      says('below it'),
      says('second version'),
      says('below the second'),
    );
    const first = await ask(host, topic.id, 'question');
    const below = await ask(host, topic.id, 'more');
    const { answerId } = await host.messages.regenerate(owner, first.id, undefined);
    const second = await finished(host, topic.id, answerId);
    const last = await ask(host, topic.id, 'zebra');
    const viewer = await watch(host, topic.id);
    await host.topics.deleteMessage(owner, second.id);
    const { topic: shown, messages, ...rest } = await host.topics.snapshot(owner, topic.id);
    expect(shown.activeLeafId).toBe(below.id);
    const left = [first.parentId, first.id, below.parentId, below.id];
    expect(messages.map(({ id }) => id)).toEqual(left);
    expect(illegalities({ topic: shown, messages, ...rest })).toEqual([]);
    expect(viewer.conversation()).toEqual({ topic: shown, messages, ...rest });
    viewer.close();
    expect(await host.topics.search(owner, 'zebra')).toEqual([]);
    expect(await host.topics.search(owner, 'first')).toHaveLength(1);
    await expect(host.topics.deleteMessage(owner, last.id)).rejects.toMatchObject({
      code: 'message_not_found',
    });
    await host.close();
    const again = await openHost(place, options);
    onTestFinished(() => again.close());
    const after = await again.topics.snapshot(owner, topic.id);
    expect(after.messages).toEqual(messages);
    expect(after.topic.activeLeafId).toBe(below.id);
  });

  it('leaves an empty topic that can be talked in again', async () => {
    const { host, topic } = await start(says('one'), says('two'));
    const answer = await ask(host, topic.id, 'question');
    await host.topics.deleteMessage(owner, answer.parentId ?? '');
    expect(await host.topics.snapshot(owner, topic.id)).toMatchObject({
      messages: [],
      topic: { activeLeafId: null },
    });
    const again = await ask(host, topic.id, 'again');
    expect(again.status).toBe('success');
  });

  it('is refused while something of it runs, and for anybody else', async () => {
    const { host, topic } = await start(says('one'), hangs);
    const answer = await ask(host, topic.id, 'question');
    const { answerId } = await host.messages.send(owner, topic.id, { text: 'more' });
    await until(host, topic.id, answerId, ({ blocks }) => blocks[0]?.content === 'begun');
    for (const id of [answerId, answer.id])
      await expect(host.topics.deleteMessage(owner, id)).rejects.toMatchObject({
        code: 'conflict',
      });
    await expect(host.topics.deleteMessage('another', answer.id)).rejects.toMatchObject({
      code: 'message_not_found',
    });
    await host.messages.stop(owner, answerId);
    await finished(host, topic.id, answerId);
    await host.topics.deleteMessage(owner, answerId);
    const { messages } = await host.topics.snapshot(owner, topic.id);
    expect(messages).toHaveLength(3);
  });

  it('drops the calls and the files that no other message has', async () => {
    const { host, topic } = await start(calls(['read', {}]), says('done'), says('other'));
    const answer = await ask(host, topic.id, 'read it');
    const tool = answer.blocks.find((block) => block.type === 'tool');
    const [part] = tool?.result?.content ?? [];
    const stored = part && 'stored' in part ? part.stored : undefined;
    expect(await host.blobs.find(owner, stored?.id ?? '')).toBeDefined();
    const other = await host.messages.regenerate(owner, answer.id, undefined);
    await finished(host, topic.id, other.answerId);
    await host.topics.deleteMessage(owner, other.answerId);
    expect(await host.blobs.find(owner, stored?.id ?? '')).toBeDefined();
    await host.topics.deleteMessage(owner, answer.id);
    expect(await host.blobs.find(owner, stored?.id ?? '')).toBeUndefined();
    await expect(host.approvals.get(owner, tool?.toolCallId ?? '')).rejects.toMatchObject({
      code: 'tool_call_not_found',
    });
  });
});
