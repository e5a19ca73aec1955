import { setImmediate } from 'node:timers/promises';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { calls, says } from '../fakes/scripted-model.ts';
import { errorOf } from '../fixtures/http.ts';
import { model, noting, openV1 } from '../fixtures/v1.ts';

const input = 'What is the weather?';
const weather = {
  type: 'function' as const,
  name: 'my_tool',
  description: 'Mine',
  parameters: { type: 'object', properties: {} },
  strict: false,
};

describe('responses with the official client', () => {
  it('streams an answer whose tool runs here as an MCP call', async () => {
    const { openai } = await openV1([calls(['look_up', { what: 'x' }]), says('It rains.')], {
      tools: [noting([])],
    });
    const stream = await openai.responses.create({ model, input, stream: true });
    const events: ResponseStreamEvent[] = await Array.fromAsync(stream);
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.mcp_call.in_progress',
      'response.mcp_call_arguments.delta',
      'response.mcp_call_arguments.done',
      'response.mcp_call.completed',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const numbers = events.map(({ sequence_number: number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    const last = events.at(-1);
    const response = last?.type === 'response.completed' ? last.response : undefined;
    expect(response).toMatchObject({
      status: 'completed',
      usage: { input_tokens: 10, output_tokens: 7 },
      output: [
        { type: 'mcp_call', name: 'look_up', output: 'It rains.', error: null },
        { type: 'message', content: [{ type: 'output_text', text: 'It rains.' }] },
      ],
    });
    expect(await openai.responses.retrieve(response?.id ?? '')).toMatchObject({
      status: 'completed',
      output: response?.output ?? [],
    });
  });

  it('gives a reader that comes back after any event exactly the rest', async () => {
    const { openai } = await openV1(
      [calls(['look_up', {}], ['look_up', { what: 'y' }]), says('A longer answer, in one piece.')],
      { tools: [noting([])] },
    );
    const stream = await openai.responses.create({ model, input, stream: true });
    const all: ResponseStreamEvent[] = await Array.fromAsync(stream);
    const [first] = all;
    const id = first?.type === 'response.created' ? first.response.id : '';
    for (const [place, { sequence_number: after }] of all.entries()) {
      const rest = await openai.responses.retrieve(id, { stream: true, starting_after: after });
      expect(await Array.fromAsync(rest)).toEqual(all.slice(place + 1));
    }
  });

  it('continues a response, with the results of the program’s own tools', async () => {
    const notes: unknown[] = [];
    const { openai, scripted } = await openV1(
      [calls(['look_up', {}], ['my_tool', { a: 1 }]), says('All done.')],
      { tools: [noting(notes)] },
    );
    const first = await openai.responses.create({ model, input, tools: [weather] });
    const call = first.output.find((item) => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'my_tool', arguments: '{"a":1}', status: 'completed' });
    const second = await openai.responses.create({
      model,
      previous_response_id: first.id,
      tools: [weather],
      input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'mine' }],
    });
    expect(second.output_text).toBe('All done.');
    expect(notes).toHaveLength(1);
    expect(scripted.requests[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', parts: [{ toolName: 'look_up' }, { toolName: 'my_tool' }] },
      {
        role: 'tool',
        results: [
          { result: { content: [{ text: 'It rains.' }] } },
          { result: { content: [{ text: 'mine' }] } },
        ],
      },
    ]);
    const items = await openai.responses.inputItems.list(second.id);
    expect(items.data.map(({ type }) => type)).toContain('function_call_output');
  });

  it('continues no response that was not to be stored', async () => {
    const { openai, scripted } = await openV1([says('One.'), says('Two.')]);
    const { id } = await openai.responses.create({ model, input, store: false });
    const next = openai.responses.create({ model, input, previous_response_id: id });
    await expect(next).rejects.toMatchObject({ status: 404 });
    expect(scripted.requests).toHaveLength(1);
  });

  it('runs in the background, is polled, cancelled and removed', async () => {
    const gate = Promise.withResolvers<void>();
    const api = await openV1([calls(['look_up', {}]), says('Late.')], {
      tools: [noting([], { before: gate.promise })],
    });
    const queued = await api.openai.responses.create({ model, input, background: true });
    expect(queued.status).toBe('in_progress');
    gate.resolve();
    await expect
      .poll(async () => (await api.openai.responses.retrieve(queued.id)).status)
      .toBe('completed');
    expect(await api.openai.responses.retrieve(queued.id)).toMatchObject({ output_text: 'Late.' });
    await api.openai.responses.delete(queued.id);
    expect(await errorOf(await api.send('GET', `/v1/responses/${queued.id}`))).toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
  });

  it('has the text so far when it is polled', async () => {
    const gate = Promise.withResolvers<void>();
    const [begin, , ...rest] = says('The end.');
    async function* slowly() {
      yield [begin, { type: 'text-delta', id: 't', text: 'So far' }] as Chunk[];
      await gate.promise;
      yield [{ type: 'text-delta', id: 't', text: ', so good.' }, ...rest] as Chunk[];
    }
    const { openai } = await openV1([slowly]);
    const { id } = await openai.responses.create({ model, input, background: true });
    const now = async () => {
      const { status, output_text: text } = await openai.responses.retrieve(id);
      return { status, text };
    };
    await expect.poll(now).toEqual({ status: 'in_progress', text: 'So far' });
    gate.resolve();
    await expect.poll(now).toEqual({ status: 'completed', text: 'So far, so good.' });
  });

  it('cancels a response', async () => {
    const gate = Promise.withResolvers<void>();
    const { openai } = await openV1([calls(['look_up', {}]), says('Never.')], {
      tools: [noting([], { before: gate.promise })],
    });
    const { id } = await openai.responses.create({ model, input, background: true });
    const cancelled = openai.responses.cancel(id);
    gate.resolve();
    expect((await cancelled).status).toBe('cancelled');
  });

  it('lists what it was given, in pages', async () => {
    const { openai } = await openV1([]);
    const said = Array.from({ length: 5 }, (_, n) => ({ role: 'user' as const, content: `${n}` }));
    const style = { text: { verbosity: 'low' as const } };
    const { id, text } = await openai.responses.create({ model, input: said, ...style });
    expect(text).toEqual({ format: { type: 'text' }, verbosity: 'low' });
    const list = async (query: object) => {
      const words: unknown[] = [];
      for await (const item of openai.responses.inputItems.list(id, query))
        if ('content' in item && Array.isArray(item.content))
          for (const part of item.content) words.push('text' in part && part.text);
      return words.join('');
    };
    expect(await list({})).toBe('43210');
    expect(await list({ order: 'asc', limit: 2 })).toBe('01234');
    const page = await openai.responses.inputItems.list(id, { limit: 2 });
    expect(page.has_more).toBe(true);
  });

  it('asks the program for an approval, and goes on with what it says', async () => {
    const notes: unknown[] = [];
    const { openai, host } = await openV1([calls(['pay', { what: 'it' }]), says('Paid.')], {
      tools: [noting(notes, { name: 'pay', writes: true, result: 'paid' })],
    });
    const mcp = { type: 'mcp' as const, server_label: 'calculator' };
    const asked = await openai.responses.create({ model, input, tools: [mcp] });
    expect(asked.status).toBe('completed');
    const request = asked.output.find((item) => item.type === 'mcp_approval_request');
    expect(request).toMatchObject({ name: 'pay', arguments: '{"what":"it"}' });
    expect(notes).toEqual([]);
    const answer = {
      type: 'mcp_approval_response' as const,
      approval_request_id: request?.id ?? '',
      approve: true,
    };
    const done = await openai.responses.create({
      model,
      previous_response_id: asked.id,
      input: [answer],
      tools: [mcp],
    });
    expect(notes).toEqual([{ what: 'it' }]);
    expect(done).toMatchObject({ output_text: 'Paid.', status: 'completed' });
    expect(done.output.map(({ type }) => type)).toEqual(['mcp_call', 'message']);
    expect((await openai.responses.retrieve(asked.id)).output).toEqual(asked.output);
    expect(await host.approvals.waiting('local')).toEqual([]);
  });

  it('goes on once with what is said twice under one key', async () => {
    const notes: unknown[] = [];
    const { openai } = await openV1([calls(['pay', {}]), says('Paid.')], {
      tools: [noting(notes, { name: 'pay', writes: true })],
    });
    const tools = [{ type: 'mcp' as const, server_label: 'calculator' }];
    const asked = await openai.responses.create({ model, input, tools });
    const request = asked.output.find((item) => item.type === 'mcp_approval_request');
    const said = {
      type: 'mcp_approval_response' as const,
      approval_request_id: request?.id ?? '',
      approve: true,
    };
    const body = { model, previous_response_id: asked.id, input: [said], tools };
    const headers = { 'idempotency-key': 'once' };
    const go = async () => (await openai.responses.create(body, { headers })).id;
    const [first, second] = await Promise.all([go(), go()]);
    expect(second).toBe(first);
    expect(notes).toEqual([{}]);
    expect(await openai.responses.retrieve(first)).toMatchObject({ output_text: 'Paid.' });
  });

  it('tells in a stream that it asks for an approval once that is stored, and not where it is not', async () => {
    const { openai, host } = await openV1([calls(['pay', {}]), calls(['pay', {}])], {
      tools: [noting([], { name: 'pay', writes: true })],
    });
    const tools = [{ type: 'mcp' as const, server_label: 'calculator' }];
    const ask = async (end: typeof host.runs.end) => {
      host.runs.end = end;
      const seen: string[] = [];
      const stream = await openai.responses.create({ model, input, tools, stream: true });
      const read = async () => {
        for await (const { type } of stream) seen.push(type);
      };
      return { seen, read: read() };
    };
    const stored = Promise.withResolvers<void>();
    const storing = vi.fn(() => stored.promise);
    const first = await ask(storing);
    await expect.poll(() => storing.mock.calls.length).toBe(1);
    await setImmediate();
    expect(first.seen).not.toContain('response.completed');
    stored.resolve();
    await first.read;
    expect(first.seen.at(-1)).toBe('response.completed');
    const second = await ask(() => Promise.reject(new Error('the disk is full')));
    await expect(second.read).rejects.toThrow();
    expect(second.seen).not.toContain('response.completed');
  });
});

describe('responses with the AI SDK', () => {
  it('streams text, and runs the tools of the program', async () => {
    const { fetch, scripted } = await openV1([calls(['mine', { a: 'x' }]), says('Then this.')]);
    const provider = createOpenAI({
      apiKey: 'the-admin-token-of-this-test',
      baseURL: 'http://cerise.test:4310/v1',
      fetch,
    });
    const seen: unknown[] = [];
    const mine = tool({
      inputSchema: z.object({ a: z.string() }),
      execute: async (args) => {
        seen.push(args);
        return 'result of mine';
      },
    });
    const { text, steps } = await generateText({
      model: provider.responses(model),
      prompt: 'Hi',
      tools: { mine },
      stopWhen: stepCountIs(3),
    });
    expect(text).toBe('Then this.');
    expect(steps).toHaveLength(2);
    expect(seen).toEqual([{ a: 'x' }]);
    expect(JSON.stringify(scripted.requests[1]?.messages)).toContain('result of mine');
  });

  it('streams chat completions', async () => {
    const { fetch } = await openV1([calls(['look_up', {}]), says('Streamed.')], {
      tools: [noting([])],
    });
    const provider = createOpenAI({
      apiKey: 'the-admin-token-of-this-test',
      baseURL: 'http://cerise.test:4310/v1',
      fetch,
    });
    const result = streamText({ model: provider.chat(model), prompt: 'Hi' });
    expect(await result.text).toBe('Streamed.');
    expect(await result.finishReason).toBe('stop');
  });
});
