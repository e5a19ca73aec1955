import { describe, expect, it } from 'vitest';
import { calls, says } from '../fakes/scripted-model.ts';
import { model, noting, openV1 } from '../fixtures/v1.ts';

const question = [{ role: 'user' as const, content: 'What is the weather?' }];

describe('chat completions with the official client', () => {
  it('streams an answer whose tool runs here', async () => {
    const notes: unknown[] = [];
    const { openai, scripted } = await openV1(
      [calls(['look_up', { what: 'weather' }]), says('It rains, I fear.')],
      { tools: [noting(notes)] },
    );
    const stream = await openai.chat.completions.create({
      model,
      messages: question,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toBe('It rains, I fear.');
    expect(notes).toEqual([{ what: 'weather' }]);
    expect(scripted.requests).toHaveLength(2);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 7, total_tokens: 17 },
    });
    const tools = chunks.flatMap((chunk) => ('cerise' in chunk ? [chunk.cerise] : []));
    expect(tools).toMatchObject([
      { tool: { tool: 'look_up' } },
      { tool: { tool: 'look_up', state: 'succeeded', result: 'It rains.' } },
    ]);
  });

  it('gives a whole answer', async () => {
    const api = await openV1([calls(['look_up', {}]), says('Done.')], {
      tools: [noting([])],
    });
    const completion = await api.openai.chat.completions.create({ model, messages: question });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 7 },
    });
    expect(await api.json('GET', '/api/topics')).toMatchObject({ topics: [] });
  });

  it('refuses what would ask a person, and says so to the model', async () => {
    const notes: unknown[] = [];
    const { openai, scripted } = await openV1([calls(['pay', {}]), says('I could not.')], {
      tools: [noting(notes, { name: 'pay', writes: true })],
    });
    await openai.chat.completions.create({ model, messages: question });
    expect(notes).toEqual([]);
    expect(JSON.stringify(scripted.requests[1]?.messages.at(-1))).toContain('needs approval');
  });
});
