import { errorIn } from './legal-conversation.ts';
import { expect, it, onTestFinished } from 'vitest';
import type { CompactBlock } from '#shared/vocabulary/block.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelAdapter, ModelRequest } from '#shared/vocabulary/model.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, finished, openHost, owner, until } from './host.ts';

const model = 'test/scripted';
const failure = (code: 'model_context_too_long' | 'model_failed'): Chunk[] => [
  { type: 'error', error: { code, message: `It said ${code}.` } },
];
const tooLong = failure('model_context_too_long');
const filler = 'word '.repeat(1600); // about 2,000 tokens
const sent = (request: ModelRequest | undefined) => JSON.stringify(request?.messages ?? null);
const types = (message: Message) => message.blocks.map(({ type }) => type);
const compacts = (message: Message) =>
  message.blocks.filter((block): block is CompactBlock => block.type === 'compact');

const reader: NativeTool = {
  name: 'read',
  description: 'Reads',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  execute: async ({ n }) => ({
    content: [{ type: 'text', text: `page ${JSON.stringify(n)} ${filler}` }],
  }),
};

/** A model with a context of so many tokens; unknown if absent. */
function sized(scripted: ScriptedModel, contextTokens?: number): ModelAdapter {
  const what = { tools: true, imagesIn: true, audioIn: false, filesIn: false };
  return {
    capabilities: { ...what, imagesOut: false, reasoning: false, contextTokens },
    stream: (request, signal) => scripted.stream(request, signal),
  };
}

describeEachDatabase((_open, fresh) => {
  async function start(scripted: ScriptedModel, contextTokens?: number, tools: NativeTool[] = []) {
    const place = await fresh();
    const options = { models: { [model]: sized(scripted, contextTokens) }, tools };
    const host = await openHost(place, options);
    onTestFinished(() => host.close());
    const created = await host.topics.create(owner, { model, title: 'T' });
    const off = { enabled: tools.length > 0, mode: 'manual' as const, selectedServers: [] };
    const topic = await host.topics.update(owner, created.id, { mcp: off });
    return { host, topic, place, options };
  }

  it('sums up older turns before the context is full, and goes on from the summary', async () => {
    const scripted = new ScriptedModel(
      says(`First answer. ${filler}`),
      says(`Second answer. ${filler}`),
      says('SUMMARY: two things were said.'),
      says('Third answer.'),
      says('Fourth answer.'),
    );
    const { host, topic, place, options } = await start(scripted, 5000);
    await ask(host, topic.id, 'first question');
    await ask(host, topic.id, 'second question');
    const third = await ask(host, topic.id, 'third question');
    expect(types(third)).toEqual(['compact', 'main_text']);
    expect(third.status).toBe('success');
    const [block] = compacts(third);
    expect(block).toMatchObject({ status: 'success', content: 'SUMMARY: two things were said.' });
    expect(block?.messageCount).toBe(4);
    expect(scripted.requests[2]).toMatchObject({ purpose: 'compact', tools: [] });
    expect(sent(scripted.requests[2])).toContain('First answer.');
    expect(sent(scripted.requests[3])).toContain('SUMMARY');
    expect(sent(scripted.requests[3])).toContain('third question');
    expect(sent(scripted.requests[3])).not.toContain('first question');
    await host.close();
    const again = await openHost(place, options);
    onTestFinished(() => again.close());
    await ask(again, topic.id, 'fourth question');
    const [before, after] = [scripted.requests[3]?.messages, scripted.requests[4]?.messages];
    expect(after?.slice(0, before?.length)).toEqual(before);
    expect(sent(scripted.requests[4])).toContain('fourth question');
  });

  it('leaves older turns out, and says so, where they cannot be summed up', async () => {
    const scripted = new ScriptedModel(
      says(`First answer. ${filler}`),
      says(`Second answer. ${filler}`),
      failure('model_failed'),
      says('Third answer.'),
    );
    const { host, topic } = await start(scripted, 5000);
    await ask(host, topic.id, 'first question');
    await ask(host, topic.id, 'second question');
    const third = await ask(host, topic.id, 'third question');
    expect(third.status).toBe('success');
    const [block] = compacts(third);
    expect(block?.status).toBe('error');
    expect(block?.content).toMatch(/messages \(4\) are omitted.*It said model_failed/);
    expect(sent(scripted.requests[3])).toContain('are omitted');
    expect(sent(scripted.requests[3])).not.toContain('first question');
    expect(sent(scripted.requests[3])).toContain('third question');
  });

  it('makes room once when the vendor says that the context is full', async () => {
    const scripted = new ScriptedModel(
      says('First answer.'),
      tooLong,
      says('SUMMARY'),
      says('Second answer.'),
    );
    const { host, topic } = await start(scripted);
    await ask(host, topic.id, 'first question');
    const second = await ask(host, topic.id, 'second question');
    expect(types(second)).toEqual(['compact', 'main_text']);
    expect(second.status).toBe('success');
    expect(sent(scripted.requests[3])).toContain('second question');
    expect(sent(scripted.requests[3])).not.toContain('first question');
  });

  it('gives up when that was not enough, and when there is nothing to leave out', async () => {
    const scripted = new ScriptedModel(tooLong, says('ok'), tooLong, says('SUMMARY'), tooLong);
    const { host, topic } = await start(scripted);
    const first = await ask(host, topic.id, 'x');
    expect([first.status, errorIn(first)?.code]).toEqual(['error', 'model_context_too_long']);
    expect(types(first)).toEqual(['error']);
    await ask(host, topic.id, 'y');
    const third = await ask(host, topic.id, 'z');
    expect(types(third)).toEqual(['compact', 'error']);
    expect(scripted.requests).toHaveLength(5);
  });

  it('sums up old rounds of a long turn without losing the question', async () => {
    const read = (n: number) => calls(['read', { n }]);
    const pages = [1, 2, 3, 4].map(read);
    const scripted = new ScriptedModel(...pages, says('SUMMARY of pages'), says('Done.'));
    const { host, topic } = await start(scripted, 5000, [reader]);
    const answer = await ask(host, topic.id, 'read all pages');
    expect(types(answer)).toEqual([...pages.map(() => 'tool'), 'compact', 'main_text']);
    const [block] = compacts(answer);
    expect(block?.through).toEqual({ messageId: answer.id, round: 2 });
    const last = scripted.requests[5];
    expect(last?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(sent(last)).toContain('SUMMARY of pages');
    expect(sent(last)).toContain('read all pages');
    expect(sent(last)).toContain('page 4');
    expect(sent(last)).not.toContain('page 3');
  });

  it('compacts at once on /compact, which no model ever sees', async () => {
    const scripted = new ScriptedModel(says('First answer.'), says('SUMMARY'), says('Next.'));
    const { host, topic } = await start(scripted);
    await ask(host, topic.id, 'first question');
    const answer = await ask(host, topic.id, ' /compact\n');
    expect(types(answer)).toEqual(['compact']);
    expect(answer).toMatchObject({ status: 'success', usage: { outputTokens: 7 } });
    await ask(host, topic.id, 'next question');
    const next = sent(scripted.requests[2]);
    expect(next).toContain('SUMMARY');
    expect(next).toContain('next question');
    expect(next).not.toMatch(/first question|\/compact/);
  });

  it('leaves everything as it was where /compact fails or finds nothing', async () => {
    const scripted = new ScriptedModel(says('First.'), failure('model_failed'), says('Next.'));
    const { host, topic } = await start(scripted);
    const empty = await ask(host, topic.id, '/compact');
    expect([empty.status, errorIn(empty)?.code]).toEqual(['error', 'invalid_request']);
    await ask(host, topic.id, 'first question');
    const failed = await ask(host, topic.id, '/compact');
    expect([failed.status, errorIn(failed)?.code]).toEqual(['error', 'model_failed']);
    await ask(host, topic.id, 'next question');
    expect(sent(scripted.requests[2])).toContain('first question');
    expect(sent(scripted.requests[2])).not.toContain('/compact');
  });

  it('loses nothing when it is stopped in the middle of a summary', async () => {
    const scripted = new ScriptedModel(says('First answer.'), half, says('Next.'));
    const { host, topic } = await start(scripted);
    await ask(host, topic.id, 'first question');
    const { answerId } = await host.messages.send(owner, topic.id, { text: '/compact' });
    await until(host, topic.id, answerId, ({ blocks }) => blocks[0]?.content === 'Half of it');
    await host.messages.stop(owner, answerId);
    const stopped = await finished(host, topic.id, answerId);
    expect(stopped).toMatchObject({ status: 'stopped', blocks: [{ status: 'paused' }] });
    await ask(host, topic.id, 'next question');
    expect(sent(scripted.requests[2])).toContain('first question');
    expect(sent(scripted.requests[2])).not.toContain('Half of it');
  });

  it('goes on after a restart in the middle of a summary', async () => {
    const scripted = new ScriptedModel(says('First answer.'), half, says('SUMMARY'), says('Next.'));
    const { host, topic, place, options } = await start(scripted);
    await ask(host, topic.id, 'first question');
    const { answerId } = await host.messages.send(owner, topic.id, { text: '/compact' });
    await until(host, topic.id, answerId, ({ blocks }) => blocks[0]?.content === 'Half of it');
    await host.close();
    const again = await openHost(place, options);
    onTestFinished(() => again.close());
    const answer = await finished(again, topic.id, answerId);
    expect(compacts(answer).map(({ status, content }) => [status, content])).toEqual([
      ['interrupted', 'Half of it'],
      ['success', 'SUMMARY'],
    ]);
    await ask(again, topic.id, 'next question');
    expect(sent(scripted.requests[3])).toContain('SUMMARY');
  });

  it('answers a question again from the same summary, and an older one without it', async () => {
    const scripted = new ScriptedModel(
      says('First answer.'),
      says('SUMMARY'),
      says('Next.'),
      says('Next again.'),
      says('First again.'),
    );
    const { host, topic } = await start(scripted);
    const first = await ask(host, topic.id, 'first question');
    await ask(host, topic.id, '/compact');
    const next = await ask(host, topic.id, 'next question');
    for (const { id } of [next, first]) {
      const { answerId } = await host.messages.regenerate(owner, id, undefined);
      await finished(host, topic.id, answerId);
    }
    expect(sent(scripted.requests[3])).toBe(sent(scripted.requests[2]));
    expect(sent(scripted.requests[4])).toBe(sent(scripted.requests[0]));
  });
});

/** Says something and then nothing more until it is stopped. */
async function* half(_request: ModelRequest, signal: AbortSignal): AsyncGenerator<Chunk[]> {
  yield [{ type: 'text-delta', id: 't', text: 'Half of it' }];
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}
