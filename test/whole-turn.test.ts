import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { activePath, type Message } from '#shared/vocabulary/message.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, finished, openHost, owner, until, watch } from './host.ts';
import { errorIn, illegalities } from './legal-conversation.ts';

const model = 'test/scripted';
const types = (message: Message) => message.blocks.map(({ type }) => type);
const texts = (message: Message) =>
  message.blocks.filter(({ type }) => type === 'main_text').map(({ content }) => content);
const tools = (message: Message) =>
  message.blocks.filter((block): block is ToolBlock => block.type === 'tool');

function nativeTool(name: string, execute: NativeTool['execute'], readOnly = true): NativeTool {
  return {
    name,
    description: name,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: readOnly },
    execute,
  };
}

describeEachDatabase((_open, fresh) => {
  async function start(scripted: ScriptedModel, nativeTools: NativeTool[] = []) {
    const place = await fresh();
    const host = await openHost(place, { models: { [model]: scripted }, tools: nativeTools });
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model });
    return { host, topic, place };
  }

  it('keeps thinking, parallel tools and text in the order in which they began', async () => {
    const thinking: Chunk[] = [
      { type: 'thinking-delta', id: 'r', text: 'I need two tools.' },
      { type: 'thinking-complete', id: 'r' },
    ];
    const scripted = new ScriptedModel(
      [
        ...thinking,
        ...calls(
          ['mcp__time__get_current_time', { timezone: 'Asia/Tokyo' }],
          ['mcp__filesystem__list_directory', { path: '.' }],
        ),
      ],
      says('It is late, and there are files.'),
    );
    const { host, topic } = await start(scripted);
    const answer = await ask(host, topic.id, 'Time and files?');
    expect(types(answer)).toEqual(['thinking', 'tool', 'tool', 'main_text']);
    expect(tools(answer).map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    expect(answer.blocks.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3]);
    expect(answer).toMatchObject({
      status: 'success',
      usage: { inputTokens: 10, outputTokens: 7 },
    });
    const results = scripted.requests[1]?.messages.at(-1);
    expect(results).toMatchObject({ role: 'tool' });
    expect(JSON.stringify(results)).toContain('Asia/Tokyo');
    expect(JSON.stringify(results)).toContain('welcome.md');
  });

  it('says of an answer that was cut by the vendor that it is not complete', async () => {
    const cut = (finishReason: 'length' | 'content-filter'): Chunk[] => [
      { type: 'text-delta', id: 't', text: 'The begin' },
      { type: 'response-complete', finishReason },
    ];
    const { host, topic } = await start(new ScriptedModel(cut('length'), cut('content-filter')));
    for (const code of ['model_length', 'model_refused']) {
      const answer = await ask(host, topic.id, 'Go on.');
      expect(answer.status).toBe('success');
      expect(answer.blocks).toMatchObject([
        { type: 'main_text', content: 'The begin', status: 'success' },
        { type: 'error', error: { code } },
      ]);
    }
  });

  it('runs the calls of a round in parallel', async () => {
    let running = 0;
    let most = 0;
    const { promise: both, resolve } = Promise.withResolvers<void>();
    const meet = nativeTool('meet', async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 2) resolve();
      await both;
      return { content: [{ type: 'text', text: 'met' }] };
    });
    const scripted = new ScriptedModel(calls(['meet', { a: 1 }], ['meet', { a: 2 }]), says('ok'));
    const { host, topic } = await start(scripted, [meet]);
    await ask(host, topic.id, 'go');
    expect(most).toBe(2);
  });

  it('shows the same after a reload, to a second viewer and after a restart', async () => {
    const scripted = new ScriptedModel(
      calls(['mcp__calculator__calculate', { expression: '6*7' }]),
      says('42, clearly. 你好 👋'),
    );
    const { host, topic, place } = await start(scripted);
    const first = await watch(host, topic.id);
    await ask(host, topic.id, 'What is 6*7?');
    const snapshot = await host.topics.snapshot(owner, topic.id);
    expect(first.conversation().messages).toEqual(snapshot.messages);
    expect(illegalities(snapshot)).toEqual([]);
    first.close();
    await host.close();
    const again = await openHost(place, { models: { [model]: scripted } });
    onTestFinished(() => again.close());
    const restored = await again.topics.snapshot(owner, topic.id);
    expect(restored.messages).toEqual(snapshot.messages);
  });

  it('gives the next question every call and result of the one before', async () => {
    const scripted = new ScriptedModel(
      calls(['mcp__calculator__calculate', { expression: '2+2' }, 'call_0']),
      calls(['mcp__calculator__calculate', { expression: '3+3' }, 'call_0']),
      says('4 and 6'),
      says('As I said.'),
    );
    const { host, topic } = await start(scripted);
    await ask(host, topic.id, 'first');
    await ask(host, topic.id, 'second');
    const history = scripted.requests[3]?.messages ?? [];
    expect(history.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    const ids = history.flatMap((message) =>
      message.role === 'tool' ? message.results.map(({ callId }) => callId) : [],
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('names the topic after the first answer and keeps a name that a person gave', async () => {
    const { host, topic } = await start(new ScriptedModel(says('hello'), says('again')));
    const renamed = await host.topics.create(owner, { model, title: 'Mine' });
    const viewer = Promise.withResolvers<void>();
    await watch(host, topic.id, (seen) => seen.topic.titled && viewer.resolve());
    await ask(host, topic.id, 'hi');
    await viewer.promise;
    expect((await host.topics.snapshot(owner, topic.id)).topic.title).toBe('A title');
    await ask(host, renamed.id, 'hi');
    expect((await host.topics.snapshot(owner, renamed.id)).topic.title).toBe('Mine');
  });

  it('stops an answer: the text stays, a running call is cancelled, and the turn ends', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const endless = nativeTool('endless', async (_args, { signal }) => {
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      ).finally(resolve);
      return { content: [] };
    });
    const text: Chunk = { type: 'text-delta', id: 't', text: 'Let me see. ' };
    const scripted = new ScriptedModel([text, ...calls(['endless', {}])]);
    const { host, topic } = await start(scripted, [endless]);
    const { answerId } = await host.messages.send(owner, topic.id, { text: 'go' });
    await until(host, topic.id, answerId, (m) => tools(m)[0]?.state === 'dispatching');
    await host.messages.stop(owner, answerId);
    await aborted;
    const answer = await finished(host, topic.id, answerId);
    expect(answer.status).toBe('stopped');
    expect(texts(answer)).toEqual(['Let me see. ']);
    expect(tools(answer)[0]).toMatchObject({ state: 'cancelled', status: 'cancelled' });
  });

  it('keeps a second answer and an edited question as branches', async () => {
    const scripted = new ScriptedModel(says('one'), says('two'), says('three'));
    const { host, topic } = await start(scripted);
    const first = await ask(host, topic.id, 'question');
    const { answerId } = await host.messages.regenerate(owner, first.id, undefined);
    const second = await finished(host, topic.id, answerId);
    expect(second.parentId).toBe(first.parentId);
    const edited = await ask(host, topic.id, { text: 'edited', parentId: null });
    const snapshot = await host.topics.snapshot(owner, topic.id);
    expect(snapshot.messages).toHaveLength(5);
    expect(activePath(snapshot).map(({ id }) => id)).toEqual([edited.parentId, edited.id]);
    const back = await host.topics.update(owner, topic.id, { activeLeafId: first.id });
    expect(back.activeLeafId).toBe(first.id);
  });

  it('asks once more without tools at the round limit', async () => {
    const scripted = new ScriptedModel(
      ...Array.from({ length: 25 }, (_, n) =>
        calls(['mcp__calculator__calculate', { expression: `${n}+1` }]),
      ),
      says('That is all I found.'),
    );
    const { host, topic } = await start(scripted);
    const answer = await ask(host, topic.id, 'count');
    expect(scripted.requests).toHaveLength(26);
    expect(scripted.requests[24]?.tools.length).toBeGreaterThan(0);
    expect(scripted.requests[25]?.tools).toEqual([]);
    expect(answer.status).toBe('success');
    expect(texts(answer)).toEqual(['That is all I found.']);
  });

  it('stops a model that repeats the same call', async () => {
    let executed = 0;
    const same = nativeTool('same', async () => {
      executed += 1;
      return { content: [{ type: 'text', text: 'the same' }] };
    });
    const round = calls(['same', { x: 1 }]);
    const scripted = new ScriptedModel(round, round, round, says('I stop.'));
    const { host, topic } = await start(scripted, [same]);
    const answer = await ask(host, topic.id, 'loop');
    expect(executed).toBe(2);
    expect(tools(answer)[2]?.error?.code).toBe('repeated_call');
    expect(scripted.requests[3]?.tools).toEqual([]);
    expect(texts(answer)).toEqual(['I stop.']);
  });

  it('turns unknown tools, broken arguments and failures into outcomes the model sees', async () => {
    const broken: Chunk = {
      type: 'tool-pending',
      callId: 'b',
      toolName: 'mcp__calculator__calculate',
      arguments: null,
      rawArguments: '{"expression": ',
    };
    const failing = nativeTool('failing', () => Promise.reject(new Error('it broke')));
    const scripted = new ScriptedModel(
      [
        broken,
        ...calls(
          ['nowhere', {}, 'n'],
          ['mcp__calculator__calculate', { wrong: 1 }, 'w'],
          ['failing', {}, 'f'],
        ),
      ],
      says('sorry'),
    );
    const { host, topic } = await start(scripted, [failing]);
    const answer = await ask(host, topic.id, 'try');
    expect(tools(answer).map(({ error }) => error?.code)).toEqual([
      'invalid_arguments',
      'tool_not_found',
      'invalid_arguments',
      'tool_failed',
    ]);
    expect(answer.status).toBe('success');
    const results = scripted.requests[1]?.messages.at(-1);
    expect(results?.role === 'tool' && results.results.every(({ result }) => result.isError)).toBe(
      true,
    );
  });

  it('shows searches, their numbered sources and pictures of the model itself', async () => {
    const source = (n: number) => ({ url: `https://example.com/${n}`, title: `Source ${n}` });
    const scripted = new ScriptedModel([
      { type: 'text-delta', id: 'a', text: 'First ' },
      { type: 'text-delta', id: 'b', text: 'apart' },
      { type: 'text-delta', id: 'a', text: 'part.' },
      { type: 'vendor-tool-start', id: 's1', toolName: 'web_search', arguments: { query: 'c' } },
      { type: 'vendor-tool-complete', id: 's1', citations: [source(1), source(2)] },
      { type: 'vendor-tool-complete', id: 'later', citations: [source(3)] },
      { type: 'image-created', id: 'i' },
      { type: 'image-complete', id: 'i', mimeType: 'image/png', data: 'aGk=' },
      { type: 'text-delta', id: 'a', text: 'After ' },
      { type: 'text-complete', id: 'a' },
      { type: 'text-delta', id: 'a', text: 'the end.' },
      { type: 'response-complete', finishReason: 'stop' },
    ]);
    const { host, topic } = await start(scripted);
    const answer = await ask(host, topic.id, 'search');
    expect(answer.blocks.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'main_text success',
      'main_text success',
      'tool success',
      'citation success',
      'citation success',
      'image success',
      'main_text success',
      'main_text success',
    ]);
    expect(texts(answer)).toEqual(['First part.', 'apart', 'After ', 'the end.']);
    const citations = answer.blocks.flatMap((b) => (b.type === 'citation' ? b.citations : []));
    expect(citations.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(answer.blocks[5]).toMatchObject({ mimeType: 'image/png', data: 'aGk=' });
  });

  it('keeps the text and shows the cause when the model fails', async () => {
    const scripted = new ScriptedModel([
      { type: 'thinking-delta', id: 'r', text: 'Whole.' },
      { type: 'thinking-complete', id: 'r' },
      { type: 'text-delta', id: 't', text: 'Half an ans' },
      { type: 'text-complete', id: 't' },
      { type: 'error', error: { code: 'model_rate_limited', message: 'Too many requests.' } },
    ]);
    const { host, topic } = await start(scripted);
    const answer = await ask(host, topic.id, 'go');
    expect([answer.status, errorIn(answer)?.code]).toEqual(['error', 'model_rate_limited']);
    expect(types(answer)).toEqual(['thinking', 'main_text', 'error']);
    expect(answer.blocks[0]).toMatchObject({ content: 'Whole.', status: 'success' });
    expect(answer.blocks[1]).toMatchObject({ content: 'Half an ans', status: 'error' });
  });

  it('lets a message sent meanwhile steer: the answer ends at its round, the next one follows', async () => {
    const { promise: sent, resolve: send } = Promise.withResolvers<void>();
    const slow = nativeTool('slow', async () => {
      await sent;
      return { content: [{ type: 'text', text: 'done' }] };
    });
    const scripted = new ScriptedModel(calls(['slow', {}]), says('Now differently.'));
    const { host, topic } = await start(scripted, [slow]);
    const first = await host.messages.send(owner, topic.id, { text: 'one' });
    await until(host, topic.id, first.answerId, (m) => tools(m)[0]?.state === 'dispatching');
    const second = await host.messages.send(owner, topic.id, { text: 'rather this' });
    send();
    const answer = await finished(host, topic.id, second.answerId);
    expect(texts(answer)).toEqual(['Now differently.']);
    expect(scripted.requests).toHaveLength(2);
    const { messages } = await host.topics.snapshot(owner, topic.id);
    expect(messages.find(({ id }) => id === second.userMessageId)?.parentId).toBe(first.answerId);
    expect(scripted.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user' });
  });

  describe('a tool that may change something', () => {
    const write = (done: string[]) =>
      nativeTool(
        'write',
        async (args) => {
          done.push(JSON.stringify(args['what']));
          return { content: [{ type: 'text', text: 'written' }] };
        },
        false,
      );

    it('waits for approval and runs exactly what was shown, once', async () => {
      const done: string[] = [];
      const scripted = new ScriptedModel(calls(['write', { what: 'x' }]), says('ok'));
      const { host, topic } = await start(scripted, [write(done)]);
      const { answerId } = await host.messages.send(owner, topic.id, { text: 'go' });
      const waiting = await until(host, topic.id, answerId, (m) => m.status === 'waiting');
      expect(waiting.waiting?.for).toBe('approval');
      const [call] = tools(waiting);
      const { toolCallId = '', argsHash = '' } = call ?? {};
      const decide = (hash: string) =>
        host.approvals.decide(owner, toolCallId, {
          decision: 'approve',
          argsHash: hash,
          scope: 'once',
        });
      await expect(decide('other')).rejects.toMatchObject({ code: 'arguments_changed' });
      expect(done).toEqual([]);
      await decide(argsHash);
      await expect(decide(argsHash)).rejects.toMatchObject({ code: 'already_decided' });
      const answer = await finished(host, topic.id, answerId);
      expect(done).toEqual(['"x"']);
      expect(answer.status).toBe('success');
    });

    it('is not run when denied, and the model is told', async () => {
      const done: string[] = [];
      const scripted = new ScriptedModel(calls(['write', { what: 'x' }]), says('understood'));
      const { host, topic } = await start(scripted, [write(done)]);
      const { answerId } = await host.messages.send(owner, topic.id, { text: 'go' });
      const waiting = await until(host, topic.id, answerId, (m) => m.status === 'waiting');
      const { toolCallId = '', argsHash = '' } = tools(waiting)[0] ?? {};
      await host.approvals.decide(owner, toolCallId, { decision: 'deny', argsHash, scope: 'once' });
      const answer = await finished(host, topic.id, answerId);
      expect(done).toEqual([]);
      expect(tools(answer)[0]).toMatchObject({ state: 'denied', status: 'error' });
      expect(JSON.stringify(scripted.requests[1]?.messages.at(-1))).toContain('denied');
    });

    it('runs without asking again where the approval was for the topic', async () => {
      const done: string[] = [];
      const scripted = new ScriptedModel(
        calls(['write', { what: 'a' }]),
        says('ok'),
        calls(['write', { what: 'b' }]),
        says('ok'),
      );
      const { host, topic } = await start(scripted, [write(done)]);
      const { answerId } = await host.messages.send(owner, topic.id, { text: 'go' });
      const waiting = await until(host, topic.id, answerId, (m) => m.status === 'waiting');
      const { toolCallId = '', argsHash = '' } = tools(waiting)[0] ?? {};
      const decision = { decision: 'approve', argsHash, scope: 'topic' } as const;
      await host.approvals.decide(owner, toolCallId, decision);
      await finished(host, topic.id, answerId);
      await ask(host, topic.id, 'again');
      expect(done).toEqual(['"a"', '"b"']);
    });
  });
});
