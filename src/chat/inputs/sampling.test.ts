import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { says, ScriptedModel } from '../../../test/fakes/scripted-model.ts';
import { askModel, describeSampling, readSampling } from './sampling.ts';

const text = (words: string): JsonObject => ({ type: 'text', text: words });
const user = (content: Json): JsonObject => ({ role: 'user', content });
const request = (more: JsonObject = {}): JsonObject => ({
  messages: [user(text('hi'))],
  maxTokens: 10,
  ...more,
});

describe('a request to use a model', () => {
  it('is read with its texts, images and sounds, in one or several parts', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const audio = { type: 'audio', mimeType: 'audio/wav', data: 'AAAAAAAA' };
    const params = request({
      messages: [user([text('look'), image]), { role: 'assistant', content: audio }],
      systemPrompt: 'Be brief.',
      stopSequences: ['x', '', 7],
    });
    const read = readSampling(params);
    expect(read).toEqual({
      system: 'Be brief.',
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'look' },
            { type: 'file', mimeType: 'image/png', data: 'AAAA' },
          ],
        },
        { role: 'assistant', parts: [{ type: 'file', mimeType: 'audio/wav', data: 'AAAAAAAA' }] },
      ],
      maxTokens: 10,
      stopSequences: ['x'],
      hints: [],
    });
    expect(describeSampling(read)).toEqual({
      systemPrompt: 'Be brief.',
      messages: [
        {
          role: 'user',
          content: [text('look'), { type: 'image', mimeType: 'image/png', size: 3 }],
        },
        { role: 'assistant', content: [{ type: 'audio', mimeType: 'audio/wav', size: 6 }] },
      ],
      maxTokens: 10,
      stopSequences: ['x'],
    });
  });

  it('never asks for more than a model can say', () => {
    expect(readSampling(request({ maxTokens: 1e12 })).maxTokens).toBe(100_000);
    expect(readSampling(request({ maxTokens: 1.9 })).maxTokens).toBe(1);
  });

  const medium = { type: 'image', mimeType: 'image/png', data: 'x'.repeat(8 * 1024 * 1024) };
  const small = { ...medium, data: 'AAAA' };
  it.each<[string, JsonObject]>([
    ['tools', request({ tools: [] })],
    ['a choice of tools', request({ toolChoice: { mode: 'auto' } })],
    ['no messages', request({ messages: [] })],
    ['messages that are none', request({ messages: 'hi' })],
    [
      'too many messages',
      request({ messages: Array.from({ length: 201 }, () => user(text('a'))) }),
    ],
    ['no length', request({ maxTokens: null })],
    ['a length below one', request({ maxTokens: 0 })],
    ['an unknown role', request({ messages: [{ role: 'system', content: text('a') }] })],
    ['a part of a tool', request({ messages: [user({ type: 'tool_use', id: '1' })] })],
    ['a part that is nothing', request({ messages: [user(null)] })],
    ['a medium of the wrong kind', request({ messages: [user({ ...small, type: 'audio' })] })],
    ['too much text', request({ messages: [user(text('x'.repeat(300_000)))] })],
    ['too large a medium', request({ messages: [user(medium)] })],
    ['too many media', request({ messages: [user(Array.from({ length: 9 }, () => small))] })],
  ])('is refused with %s', (_, params) => {
    expect(() => readSampling(params)).toThrow(
      expect.objectContaining({
        code: 'protocol_error',
        messageSaid: expect.objectContaining({ id: 'sampling-unusable' }),
      }),
    );
  });
});

describe('the answer of a model', () => {
  const { signal } = new AbortController();

  it('ends where the model ends', async () => {
    const answer = await askModel(
      new ScriptedModel(says('Yes.')),
      'a/b',
      readSampling(request()),
      signal,
    );
    expect(answer).toMatchObject({ content: text('Yes.'), model: 'a/b', stopReason: 'endTurn' });
  });

  it('says that it was cut at its length', async () => {
    const model = new ScriptedModel([
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', text: 'Ye' },
      { type: 'response-complete', finishReason: 'length' },
    ]);
    const answer = await askModel(model, 'a/b', readSampling(request()), signal);
    expect(answer).toMatchObject({ content: text('Ye'), stopReason: 'maxTokens' });
  });

  it('is the failure of the model, if it failed', async () => {
    const error = { code: 'model_rate_limited' as const, message: 'Too fast.' };
    const model = new ScriptedModel([{ type: 'error', error }]);
    const answer = askModel(model, 'a/b', readSampling(request()), signal);
    await expect(answer).rejects.toMatchObject(error);
  });

  it('is not given when it is no longer wanted', async () => {
    const controller = new AbortController();
    const model = new ScriptedModel(async function* () {
      yield says('half');
      controller.abort();
    });
    const answer = askModel(model, 'a/b', readSampling(request()), controller.signal);
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
  });
});
