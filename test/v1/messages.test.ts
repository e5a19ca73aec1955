import type Anthropic from '@anthropic-ai/sdk';
import { APIError } from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { calls, says } from '../fakes/scripted-model.ts';
import { model, noting, openV1 } from '../fixtures/v1.ts';

const messages = [{ role: 'user' as const, content: 'What is the weather?' }];
const mine = { name: 'mine', description: 'Mine', input_schema: { type: 'object' as const } };

describe('messages with Anthropic’s official client', () => {
  it('streams an answer whose tool runs here', async () => {
    const { anthropic } = await openV1([calls(['look_up', {}]), says('It rains.')], {
      tools: [noting([])],
    });
    const stream = anthropic.messages.stream({ model, max_tokens: 100, messages });
    const final = await stream.finalMessage();
    expect(final).toMatchObject({
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text: 'It rains.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 7 },
    });
  });

  it('hands the calls of the client’s own tools over, and goes on with their results', async () => {
    const { anthropic, scripted } = await openV1(
      [calls(['look_up', {}], ['mine', { a: 1 }]), says('Done.')],
      { tools: [noting([])] },
    );
    const first = await anthropic.messages.create({
      model,
      max_tokens: 100,
      messages,
      tools: [mine],
    });
    expect(first.stop_reason).toBe('tool_use');
    const [call] = first.content;
    expect(call).toMatchObject({ type: 'tool_use', name: 'mine', input: { a: 1 } });
    const result = {
      type: 'tool_result' as const,
      tool_use_id: call?.type === 'tool_use' ? call.id : '',
      content: 'mine says hello',
    };
    const second = await anthropic.messages.create({
      model,
      max_tokens: 100,
      tools: [mine],
      messages: [
        ...messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result] },
      ],
    });
    // Some clients refuse a `citations` of null, which that API leaves out as well.
    expect(second.content).toEqual([{ type: 'text', text: 'Done.' }]);
    const sent = JSON.stringify(scripted.requests[1]?.messages);
    expect(sent).toContain('mine says hello');
    expect(sent).toContain('It rains.');
  });

  it('says nothing between the results of the client’s tools and the words beside them', async () => {
    const { anthropic, scripted } = await openV1([calls(['mine', { a: 1 }]), says('Done.')]);
    const asked = { model, max_tokens: 100, tools: [mine] };
    const { content } = await anthropic.messages.create({ ...asked, messages });
    const [call] = content;
    const result = {
      type: 'tool_result' as const,
      tool_use_id: call?.type === 'tool_use' ? call.id : '',
      content: 'Hello',
    };
    const words = [result, { type: 'text' as const, text: 'Hurry up' }];
    const said = [...messages, { role: 'assistant' as const, content }];
    const history = [...said, { role: 'user' as const, content: words }];
    await anthropic.messages.create({ ...asked, messages: history });
    expect(scripted.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ]);
  });

  it('takes a history in which Anthropic ran tools, and sends the words of it', async () => {
    const { anthropic, scripted } = await openV1([says('Yes.')]);
    const searches: Anthropic.ContentBlockParam[] = [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'rain' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      { type: 'text', text: 'It rains.' },
    ];
    const history: Anthropic.MessageParam[] = [
      ...messages,
      { role: 'assistant', content: searches },
      { role: 'user', content: 'Sure?' },
    ];
    await anthropic.messages.create({ model, max_tokens: 100, messages: history });
    const [, answer] = scripted.requests[0]?.messages ?? [];
    expect(JSON.stringify(answer)).toContain('It rains.');
    expect(JSON.stringify(answer)).not.toContain('srvtoolu_1');
  });

  it('streams the calls of the client’s own tools', async () => {
    const { anthropic } = await openV1([calls(['mine', { a: 1 }])]);
    const stream = anthropic.messages.stream({ model, max_tokens: 100, messages, tools: [mine] });
    const final = await stream.finalMessage();
    expect(final.content).toMatchObject([{ type: 'tool_use', name: 'mine', input: { a: 1 } }]);
    expect(final.stop_reason).toBe('tool_use');
  });

  it('begins a stream with an estimate of what it takes, and ends it with the count', async () => {
    const { anthropic } = await openV1([says('It rains.')]);
    const content = 'What is the weather? '.repeat(200);
    const asked = { model, max_tokens: 100, messages: [{ role: 'user' as const, content }] };
    const { input_tokens } = await anthropic.messages.countTokens(asked);
    expect(input_tokens).toBeGreaterThan(500);
    const stream = anthropic.messages.stream(asked);
    const starts: number[] = [];
    for await (const event of stream)
      if (event.type === 'message_start') starts.push(event.message.usage.input_tokens);
    expect(starts).toEqual([input_tokens]);
    expect((await stream.finalMessage()).usage.input_tokens).toBe(5);
  });

  it('estimates tokens', async () => {
    const { anthropic } = await openV1([]);
    const counted = await anthropic.messages.countTokens({ model, messages });
    expect(counted.input_tokens).toBeGreaterThan(5);
  });

  it('tells errors as that API does', async () => {
    const { anthropic } = await openV1([]);
    const failed = await anthropic.messages
      .create({ model: 'own/nothing', max_tokens: 1, messages })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(APIError);
    expect(failed).toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error' } },
    });
  });

  it('lists models', async () => {
    const { anthropic } = await openV1([]);
    const ids = (await anthropic.models.list()).data.map(({ id }) => id);
    expect(ids).toContain(model);
  });
});
