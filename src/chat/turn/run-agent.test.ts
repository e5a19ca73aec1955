import { describe, expect, it } from 'vitest';
import type { EventBody } from '#shared/vocabulary/event.ts';
import type { ModelMessage } from '#shared/vocabulary/model.ts';
import { calls, says, ScriptedModel } from '../../../test/fakes/scripted-model.ts';
import { MemoryBlocks } from '../topic/memory-blocks.ts';
import { runAgent } from './run-agent.ts';

const double = {
  name: 'double',
  description: 'Doubles a number',
  parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  execute: async ({ n }: Record<string, unknown>) => ({
    content: [{ type: 'text' as const, text: String(Number(n) * 2) }],
  }),
};

describe('a bare agent', () => {
  it('runs the tools that the model calls and lets it answer with their results', async () => {
    const model = new ScriptedModel(calls(['double', { n: 21 }]), says('It is 42.'));
    const seen = new MemoryBlocks('seen');
    const events: EventBody[] = [];
    const result = await runAgent({
      model,
      tools: [double],
      messages: 'What is twice 21?',
      system: 'Be brief.',
      onEvent: (event) => void events.push(event),
    });
    expect(result).toMatchObject({ status: 'success', text: 'It is 42.', error: undefined });
    expect(result.blocks.map(({ type, status, round }) => [type, status, round])).toEqual([
      ['tool', 'success', 0],
      ['main_text', 'success', 1],
    ]);
    expect(model.requests[0]).toMatchObject({ system: 'Be brief.', tools: [{ name: 'double' }] });
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('"42"');
    for (const event of events) seen.append(event);
    expect(seen.blocks.map(({ content }) => content)).toEqual(
      result.blocks.map(({ content }) => content),
    );
  });

  it('says what it needs where it gets no adapter of a model', async () => {
    const model = { doStream: async () => ({}) };
    const running = runAgent({ model: model as never, messages: 'Hi' });
    await expect(running).rejects.toMatchObject({
      hint: expect.stringContaining('fromLanguageModel'),
    });
  });

  it('goes on with the conversation that it gave back', async () => {
    const model = new ScriptedModel(calls(['double', { n: 1 }]), says('2'), says('Welcome.'));
    const first = await runAgent({ model, tools: [double], messages: 'Twice 1?' });
    const thanks: ModelMessage = { role: 'user', parts: [{ type: 'text', text: 'Thanks' }] };
    const second = await runAgent({ model, messages: [...first.messages, thanks] });
    expect(second.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('tells the model why a call cannot run, and runs none that is refused', async () => {
    let ran = 0;
    const counted = { ...double, execute: async () => ((ran += 1), { content: [] }) };
    const model = new ScriptedModel(
      calls(['double', { n: 'x' }], ['halve', {}]),
      calls(['double', { n: 1 }]),
      says('No.'),
    );
    const result = await runAgent({
      model,
      tools: [counted],
      messages: 'Go',
      approve: ({ tool, arguments: args }) => tool.name !== 'double' || args['n'] !== 1,
    });
    const errors = result.blocks.flatMap((block) => (block.type === 'tool' ? block.error : []));
    expect(errors.map((error) => error?.code)).toEqual([
      'invalid_arguments',
      'tool_not_found',
      'denied',
    ]);
    expect([ran, result.status]).toEqual([0, 'success']);
  });

  it('is not harmed by tools, listeners and approvals that throw', async () => {
    const failing = { ...double, execute: () => Promise.reject(new Error('broken')) };
    const model = new ScriptedModel(calls(['double', { n: 1 }]), says('It failed.'));
    const result = await runAgent({
      model,
      tools: [failing],
      messages: 'Go',
      onEvent: () => {
        throw new Error('deaf');
      },
    });
    expect(result).toMatchObject({ status: 'success', text: 'It failed.' });
    const again = await runAgent({
      model: new ScriptedModel(calls(['double', { n: 1 }]), says('Not asked.')),
      tools: [double],
      messages: 'Go',
      approve: () => Promise.reject(new Error('closed')),
    });
    expect(again.blocks[0]).toMatchObject({ status: 'error', reach: 'never-left' });
  });

  it('stops when it is told to, also while somebody thinks about a call', async () => {
    const controller = new AbortController();
    const result = await runAgent({
      model: new ScriptedModel(calls(['double', { n: 1 }]), says('never')),
      tools: [double],
      messages: 'Go',
      signal: controller.signal,
      approve: () => (controller.abort(), new Promise<boolean>(() => undefined)),
    });
    expect(result.status).toBe('stopped');
    expect(result.blocks[0]).toMatchObject({ status: 'cancelled', reach: 'never-left' });
  });

  it('must answer without tools when its rounds are used up', async () => {
    const endless = Array.from({ length: 3 }, (_, n) => calls(['double', { n }]));
    const model = new ScriptedModel(...endless.slice(0, 2), says('Enough.'));
    const limits = { roundsPerTurn: 2 };
    const result = await runAgent({ model, tools: [double], messages: 'Go', limits });
    expect(result.text).toBe('Enough.');
    expect(model.requests.at(-1)?.tools).toEqual([]);
    const stuck = new ScriptedModel(...endless);
    const error = await runAgent({ model: stuck, tools: [double], messages: 'Go', limits });
    expect(error).toMatchObject({ status: 'error', error: { code: 'call_limit' } });
  });

  it('numbers the sources of its tools and ends with the error of its model', async () => {
    const link = { type: 'resource_link' as const, uri: 'https://a.example/', name: 'A' };
    const search = { ...double, name: 'search', execute: async () => ({ content: [link] }) };
    const model = new ScriptedModel(calls(['search', { n: 1 }]), [
      { type: 'error', error: { code: 'model_failed', message: 'No.' } },
    ]);
    const { blocks, status } = await runAgent({ model, tools: [search], messages: 'Go' });
    expect(blocks.map(({ type }) => type)).toEqual(['tool', 'citation', 'error']);
    expect(status).toBe('error');
  });
});
