import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import { calls, says } from '../fakes/scripted-model.ts';
import { model, openV1 } from '../fixtures/v1.ts';

const input = 'Change a file.';
const messages = [{ role: 'user' as const, content: input }];
const grammar = { syntax: 'lark' as const, definition: 'start: /.+/' };
const patch = '*** Begin Patch\n+"one"\n*** End Patch';

/** A tool that takes a text, as coding agents define theirs. */
const applyPatch: OpenAI.Responses.CustomTool = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Changes files.',
  format: { type: 'grammar', ...grammar },
};
const agents: OpenAI.Responses.NamespaceTool = {
  type: 'namespace',
  name: 'agents',
  description: 'Other agents',
  tools: [
    { type: 'function', name: 'ask', description: 'Asks one.', parameters: { type: 'object' } },
    { ...applyPatch, name: 'tell' },
  ],
};
/** As many tools as may be in one namespace. */
const crowd = (name: string): OpenAI.Responses.NamespaceTool => ({
  ...agents,
  name,
  tools: Array.from({ length: 1000 }, (_, n) => ({ ...applyPatch, name: `tool_${n}` })),
});
const search: OpenAI.Responses.WebSearchTool = { type: 'web_search' };

describe('tools of programs, in the responses API', () => {
  it('gives a custom tool its text, and the model what came of it', async () => {
    const { openai, scripted } = await openV1([
      calls(['apply_patch', { input: patch }]),
      says('Done.'),
    ]);
    const tools = [applyPatch];
    const stream = openai.responses.stream({ model, input, tools, store: false });
    const events = await Array.fromAsync(stream);
    expect(events.map(({ type }) => type).slice(2, -1)).toEqual([
      'response.output_item.added',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.output_item.done',
    ]);
    expect(events[3]).toMatchObject({ delta: patch });
    const { output } = await stream.finalResponse();
    expect(output).toMatchObject([
      { type: 'custom_tool_call', name: 'apply_patch', input: patch, status: 'completed' },
    ]);
    const offered = scripted.requests[0]?.tools?.find(({ name }) => name === 'apply_patch');
    expect(offered?.description).toContain(grammar.definition);
    expect(offered?.inputSchema).toMatchObject({ required: ['input'] });

    const call = output.find((item) => item.type === 'custom_tool_call');
    const said = { type: 'custom_tool_call_output' as const, call_id: call?.call_id ?? '' };
    const next = await openai.responses.create({
      model,
      tools,
      input: [
        { type: 'message', role: 'user', content: input },
        ...output,
        { ...said, output: 'Changed.' },
      ] as OpenAI.Responses.ResponseInput,
    });
    expect(next.output_text).toBe('Done.');
    expect(scripted.requests[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', parts: [{ toolName: 'apply_patch', arguments: { input: patch } }] },
      { role: 'tool', results: [{ result: { content: [{ text: 'Changed.' }] } }] },
    ]);
  });

  it('calls tools of a namespace by their names in it', async () => {
    const { openai, scripted } = await openV1([
      calls(['agents__ask', { what: 'x' }], ['agents__tell', { input: 'y' }]),
      says('Done.'),
    ]);
    const first = await openai.responses.create({ model, input, tools: [agents] });
    const names = scripted.requests[0]?.tools?.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['agents__ask', 'agents__tell']));
    expect(first.output).toMatchObject([
      { type: 'function_call', name: 'ask', namespace: 'agents', arguments: '{"what":"x"}' },
      { type: 'custom_tool_call', name: 'tell', namespace: 'agents', input: 'y' },
    ]);
    const results = first.output.flatMap((item) => {
      if (item.type === 'function_call')
        return { type: 'function_call_output' as const, call_id: item.call_id, output: 'a' };
      if (item.type !== 'custom_tool_call') return [];
      return { type: 'custom_tool_call_output' as const, call_id: item.call_id, output: 'b' };
    });
    const said = [{ type: 'message', role: 'user', content: input }, ...first.output, ...results];
    const next = await openai.responses.create({
      model,
      input: said as OpenAI.Responses.ResponseInput,
      tools: [agents],
    });
    expect(next.output_text).toBe('Done.');
    expect(scripted.requests[1]?.messages[1]).toMatchObject({
      parts: [{ toolName: 'agents__ask' }, { toolName: 'agents__tell' }],
    });
  });

  it('shortens names that are too long for a model, and leads back from them', async () => {
    const long = 'n'.repeat(60);
    const namespace = { ...agents, name: long };
    async function* callsFirst({ tools }: ModelRequest) {
      const { name = '' } = tools.find((tool) => tool.name.startsWith('nnn')) ?? {};
      yield calls([name, {}]);
    }
    const { openai, scripted } = await openV1([callsFirst]);
    const { output } = await openai.responses.create({ model, input, tools: [namespace] });
    expect(output).toMatchObject([{ name: 'ask', namespace: long }]);
    const names = scripted.requests[0]?.tools?.map(({ name }) => name) ?? [];
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => name.length <= 64)).toBe(true);
  });

  it('leaves out a search of the web that an agent offers beside its tools', async () => {
    const { openai, scripted } = await openV1([says('Done.')]);
    const done = await openai.responses.create({ model, input, tools: [search, applyPatch] });
    expect(done.output_text).toBe('Done.');
    const names = scripted.requests[0]?.tools?.map(({ name }) => name);
    expect(names).toContain('apply_patch');
    expect(names).not.toContain('web_search');
  });

  it.for<{ tools: OpenAI.Responses.Tool[]; message: string }>([
    { tools: [search], message: "web_search isn't supported." },
    {
      tools: [applyPatch, { type: 'file_search', vector_store_ids: ['v'] }],
      message: "file_search isn't supported.",
    },
    { tools: [applyPatch, applyPatch], message: 'There are two tools named apply_patch.' },
    { tools: [crowd('a'), crowd('b')], message: 'A request can have up to 1000 tools.' },
  ])('refuses what changes the answer: $message', async ({ tools, message }) => {
    const { openai, scripted } = await openV1([says('Never.')]);
    const refused = openai.responses.create({ model, input, tools });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      error: { message, param: 'tools' },
    });
    expect(scripted.requests).toEqual([]);
  });
});

describe('custom tools, in chat completions', () => {
  const tools: OpenAI.ChatCompletionTool[] = [
    {
      type: 'custom',
      custom: { name: 'apply_patch', format: { type: 'grammar', grammar } },
    },
  ];

  it.for([{ stream: false as const }, { stream: true as const }])(
    'get their text, streamed: $stream',
    async ({ stream }) => {
      const { openai, scripted } = await openV1([
        calls(['apply_patch', { input: patch }]),
        says('Done.'),
      ]);
      const asked = { model, messages, tools };
      const call = stream
        ? await streamedCall(await openai.chat.completions.create({ ...asked, stream }))
        : (await openai.chat.completions.create(asked)).choices[0]?.message.tool_calls?.[0];
      expect(call).toMatchObject({ type: 'custom', custom: { name: 'apply_patch', input: patch } });
      const { id = '' } = call ?? {};
      const next = await openai.chat.completions.create({
        model,
        tools,
        messages: [
          ...messages,
          { role: 'assistant', tool_calls: [{ id, ...custom(patch) }] },
          { role: 'tool', tool_call_id: id, content: 'Changed.' },
        ],
      });
      expect(next.choices[0]?.message.content).toBe('Done.');
      expect(scripted.requests[1]?.messages[1]).toMatchObject({
        parts: [{ toolName: 'apply_patch', arguments: { input: patch } }],
      });
    },
  );
});

describe('tools that Anthropic runs', () => {
  const own = { name: 'mine', input_schema: { type: 'object' as const } };
  const web = { type: 'web_search_20250305' as const, name: 'web_search' as const };

  it('leaves a search of the web out beside other tools, and refuses it alone', async () => {
    const { anthropic, scripted } = await openV1([says('Done.')]);
    const asked = { model, messages, max_tokens: 100 };
    const done = await anthropic.messages.create({ ...asked, tools: [own, web] });
    expect(done.content).toMatchObject([{ type: 'text', text: 'Done.' }]);
    expect(scripted.requests[0]?.tools?.map(({ name }) => name)).not.toContain('web_search');
    const alone = anthropic.messages.create({ ...asked, tools: [web] });
    await expect(alone).rejects.toMatchObject({
      status: 400,
      error: { error: { message: "web_search_20250305 isn't supported." } },
    });
  });
});

function custom(text: string) {
  return { type: 'custom' as const, custom: { name: 'apply_patch', input: text } };
}

/** The call of a stream, put together from its pieces. */
async function streamedCall(chunks: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  const call = { id: '', type: '', custom: { name: '', input: '' } };
  for await (const { choices } of chunks)
    for (const piece of choices[0]?.delta.tool_calls ?? []) {
      const { custom: more, ...rest } = piece as Partial<typeof call>;
      call.id += rest.id ?? '';
      call.type += rest.type ?? '';
      call.custom.name += more?.name ?? '';
      call.custom.input += more?.input ?? '';
    }
  return call;
}
