import { expect, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { describeEachDatabase, type Fresh } from './databases.ts';
import { says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, finished, openHost, owner } from './host.ts';

const real = 'test/real';
const types = ({ blocks }: Message) => blocks.map(({ type }) => type);
const textOf = ({ blocks }: Message) =>
  blocks.map((block) => (block.type === 'main_text' ? block.content : '')).join('');

/** The host with a real model, and `count` tools of its own with long descriptions. */
async function start(fresh: Fresh, count = 0) {
  const scripted = new ScriptedModel(says('Hello.'), says('Hello.'), says('Hello.'));
  const tools = Array.from({ length: count }, (_, index): NativeTool => {
    return {
      name: `office_${index}`,
      description: `Opens drawer ${index}. ${'It is full of paper. '.repeat(20)}`,
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      execute: async () => ({ content: [] }),
    };
  });
  const host = await openHost(fresh, { models: { [real]: scripted }, tools });
  onTestFinished(() => host.close());
  return { host, scripted };
}

async function answerWhenAsked(host: Host, answer: Parameters<Host['inputs']['answer']>[2]) {
  await expect.poll(() => host.inputs.list(owner)).toHaveLength(1);
  const [input] = await host.inputs.list(owner);
  await host.inputs.answer(owner, input?.id ?? '', answer);
  return input;
}

describeEachDatabase((_open, fresh) => {
  it('has a server that real models are offered only where somebody selects it', async () => {
    const { host, scripted } = await start(fresh);
    const offered = () =>
      scripted.requests.at(-1)?.tools.filter(({ name }) => /__demo__/.test(name));
    const topic = await host.topics.create(owner, { model: real });
    await ask(host, topic.id, 'Hello?');
    expect(scripted.requests.at(-1)?.tools.length).toBeGreaterThan(10);
    expect(offered()).toEqual([]);
    const mcp = { enabled: true, mode: 'manual' as const, selectedServers: ['demo'] };
    await host.topics.update(owner, topic.id, { mcp });
    await ask(host, topic.id, 'Hello?');
    expect(offered()?.length).toBeGreaterThan(5);
  });

  it('shows a form that a server asks for, and what was filled in', async () => {
    const { host } = await start(fresh);
    const topic = await host.topics.create(owner, {});
    const { answerId } = await host.messages.send(owner, topic.id, { text: 'Ask me with a form' });
    const content = { name: 'Ann', size: 'large', candles: 3, cream: false };
    expect(await answerWhenAsked(host, { action: 'accept', content })).toMatchObject({
      kind: 'form',
    });
    const answer = await finished(host, topic.id, answerId);
    expect(types(answer)).toEqual(['thinking', 'tool', 'main_text']);
    expect(textOf(answer)).toContain('name: Ann, size: large, candles: 3');
  });

  it('is asked by a server, with the consent of the person', async () => {
    const { host } = await start(fresh);
    const topic = await host.topics.create(owner, {});
    const { answerId } = await host.messages.send(owner, topic.id, { text: '让服务器来问模型' });
    expect(await answerWhenAsked(host, { action: 'approve' })).toMatchObject({ kind: 'sampling' });
    expect(textOf(await finished(host, topic.id, answerId))).toContain('一柄双樱红欲滴');
  });

  it('draws a picture that is kept as a block', async () => {
    const { host } = await start(fresh);
    const topic = await host.topics.create(owner, {});
    const answer = await ask(host, topic.id, 'Draw a cherry tree');
    expect(types(answer)).toEqual(['image', 'main_text']);
    expect(answer.blocks[0]).toMatchObject({ status: 'success', mimeType: 'image/png' });
  });

  it('answers as ever where so many tools are connected that they are searched for', async () => {
    const { host } = await start(fresh, 200);
    const topic = await host.topics.create(owner, {});
    const question = 'What time is it in Tokyo, and what files are in the workspace?';
    const answer = await ask(host, topic.id, question);
    expect(types(answer).join(' ')).toBe('thinking tool tool thinking tool tool main_text');
    expect(textOf(answer)).toMatch(/\*\*Tokyo\*\*[^]*`welcome\.md`/);
    const tour = await ask(host, topic.id, '/tour');
    expect(tour.status).toBe('success');
    expect(textOf(tour)).toContain('Tour summary');
    expect(textOf(tour)).not.toContain('left out');
  });
});
