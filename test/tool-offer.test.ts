import { expect, it, onTestFinished } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelAdapter, ModelCapabilities } from '#shared/vocabulary/model.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, finished, openHost, owner, until } from './host.ts';

const model = 'test/scripted';
const usual: ModelCapabilities = {
  tools: true,
  imagesIn: false,
  audioIn: false,
  filesIn: false,
  imagesOut: false,
  reasoning: false,
};
const toolBlocks = (message: Message) =>
  message.blocks.filter((block): block is ToolBlock => block.type === 'tool');

function withCapabilities(
  scripted: ScriptedModel,
  capabilities: Partial<ModelCapabilities>,
): ModelAdapter {
  return {
    stream: (request, signal) => scripted.stream(request, signal),
    capabilities: { ...usual, ...capabilities },
  };
}

describeEachDatabase((_open, fresh) => {
  async function start(scripted: ScriptedModel, capabilities: Partial<ModelCapabilities>) {
    const models = { [model]: withCapabilities(scripted, capabilities) };
    const host = await openHost(await fresh(), { models });
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model });
    return { host, topic };
  }

  it('lets a model with little room search for tools, and runs what it calls as that very tool', async () => {
    const viaCall = { name: 'mcp__time__get_current_time', arguments: { timezone: 'Asia/Tokyo' } };
    const scripted = new ScriptedModel(
      calls(['search_tools', { query: 'what time is it in a city' }]),
      calls(['call_tool', viaCall]),
      says('It is late.'),
      calls(['call_tool', { name: 'mcp__time__get_curent_time', arguments: {} }]),
      says('No such tool.'),
    );
    const { host, topic } = await start(scripted, { contextTokens: 20_000 });
    const answer = await ask(host, topic.id, 'What time is it in Tokyo?');
    const [search, call] = toolBlocks(answer);
    expect(JSON.stringify(search?.result)).toContain('mcp__time__get_current_time');
    expect(call).toMatchObject({
      modelToolName: 'mcp__time__get_current_time',
      serverName: 'time',
      toolName: 'get_current_time',
      arguments: { timezone: 'Asia/Tokyo' },
      state: 'succeeded',
    });
    const again = await ask(host, topic.id, 'And now?');
    expect(toolBlocks(again)[0]?.error).toMatchObject({
      code: 'tool_not_found',
      hint: expect.stringContaining('mcp__time__get_current_time'),
    });
    const offers = scripted.requests.map(({ tools }) => JSON.stringify(tools));
    expect(new Set(offers).size).toBe(1);
    expect(scripted.requests[0]?.tools.map(({ name }) => name)).toEqual([
      'search_tools',
      'call_tool',
      'read_more',
    ]);
    const [, , asked] = scripted.requests;
    expect(JSON.stringify(asked?.messages)).toContain('"toolName":"call_tool"');
  });

  it('asks before a deferred tool does what the policy asks about', async () => {
    const write = {
      name: 'mcp__filesystem__write_file',
      arguments: { path: 'a.txt', content: 'x' },
    };
    const scripted = new ScriptedModel(calls(['call_tool', write]), says('Done.'));
    const { host, topic } = await start(scripted, { contextTokens: 20_000 });
    const message = { text: 'Write it.' };
    const { answerId } = await host.messages.send(owner, topic.id, message);
    const waiting = await until(host, topic.id, answerId, ({ status }) => status === 'waiting');
    expect(toolBlocks(waiting)[0]).toMatchObject({
      serverName: 'filesystem',
      toolName: 'write_file',
      arguments: write.arguments,
      state: 'proposed',
    });
    await host.messages.stop(owner, answerId);
    expect(toolBlocks(await finished(host, topic.id, answerId))[0]?.state).toBe('cancelled');
  });

  it('tells a model without function calling of tools in words', async () => {
    const scripted = new ScriptedModel(
      says(
        'Let me look.\n<tool_call>{"name":"mcp__time__get_current_time","arguments":{"timezone":"Asia/Tokyo"}}</tool_call>',
      ),
      says('It is late.'),
    );
    const { host, topic } = await start(scripted, { tools: false });
    const answer = await ask(host, topic.id, 'What time is it in Tokyo?');
    expect(toolBlocks(answer)[0]).toMatchObject({
      toolName: 'get_current_time',
      state: 'succeeded',
    });
    expect(scripted.requests[0]?.tools).toEqual([]);
    expect(scripted.requests[0]?.system).toContain('mcp__time__get_current_time');
    expect(scripted.requests[1]?.messages.every(({ role }) => role !== 'tool')).toBe(true);
  });
});
