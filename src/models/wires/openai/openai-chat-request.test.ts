import { existsSync, readFileSync } from 'node:fs';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelPart, ModelRequest } from '#shared/vocabulary/model.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { learnFromRefusal } from '../from-wire-learn.ts';
import type { WireTarget } from '../wire.ts';
import { toCallOptions } from '../../sdk/call-options.ts';
import { everything } from '../../../../test/fixtures/model-chunks.ts';
import {
  answered,
  bodyOf,
  called,
  conversations,
  image,
  oracleBody,
  request,
  text,
  user,
} from '../../../../test/fixtures/model-conversations.ts';
import { openAiChat } from './openai-chat.ts';

const target: WireTarget = {
  model: 'm',
  baseUrl: 'http://x.example/v1',
  apiKey: 'k',
  capabilities: everything,
  quirks: { reasoning: 'reasoning_effort', replayReasoning: 'reasoning_content' },
};
const bodyFor = (sent: ModelRequest, to = target) => bodyOf(openAiChat, sent, to);
const { signal } = new AbortController();

describe('a request of chat completions', () => {
  it.each(Object.entries(conversations))('means what the AI SDK says: %s', async (_name, said) => {
    const sent = request(said);
    const oracle = await oracleBody(
      (fetch) =>
        createOpenAICompatible({
          name: 'x',
          baseURL: 'http://x/v1',
          includeUsage: true,
          fetch,
        }).chatModel('m'),
      toCallOptions(sent, signal, 'after'),
    );
    expect(bodyFor(sent)).toEqual(oracle);
  });

  it('goes to the vendor’s address with key and headers', () => {
    const to = {
      ...target,
      baseUrl: 'http://x.example/v1/?api-version=3',
      headers: { 'x-a': 'b' },
    };
    const { url, headers } = openAiChat.toRequest(request([user('Hi')]), to);
    expect(url).toBe('http://x.example/v1/chat/completions?api-version=3');
    expect(headers).toMatchObject({ authorization: 'Bearer k', 'x-a': 'b' });
    const { apiKey: _key, ...keyless } = target;
    expect(openAiChat.toRequest(request([]), keyless).headers).not.toHaveProperty('authorization');
  });

  it('gives thinking back only where it is wanted, and only within the turn', () => {
    const thinking: ModelMessage = {
      role: 'assistant',
      parts: [
        { type: 'thinking', text: 'hm', signature: '{"anthropic":{"signature":"s"}}' },
        { type: 'tool-call', callId: 'c', toolName: 'weather', arguments: {} },
      ],
    };
    const result = answered('c', { content: [text('x')] });
    const said = [user('Hi'), thinking, result];
    const has = (body: object) => JSON.stringify(body).includes('reasoning_content');
    expect(has(bodyFor(request(said)))).toBe(true);
    expect(has(bodyFor(request([...said, user('And?')])))).toBe(false);
    expect(has(bodyFor(request(said), { ...target, quirks: {} }))).toBe(false);
  });

  it('gives thinking back in tags to those who think in tags', () => {
    const to: WireTarget = { ...target, quirks: { replayReasoning: 'think_tags' } };
    const said = (...parts: ModelPart[]) => {
      const messages: ModelMessage[] = [user('Hi'), { role: 'assistant', parts }];
      return bodyFor(request(messages), to)['messages'] as { content: unknown }[];
    };
    const call = { type: 'tool-call', callId: 'c', toolName: 'weather', arguments: {} } as const;
    const thinking = { type: 'thinking', text: 'hm' } as const;
    const last = said(thinking, { type: 'text', text: 'Let me see.' }, call).at(-1);
    expect(last).toMatchObject({ content: '<think>\nhm\n</think>\n\nLet me see.' });
    expect(last).not.toHaveProperty('reasoning_content');
    expect(said(call).at(-1)).toMatchObject({ content: null });
  });

  it('gives back what vendors signed', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'sealed' }];
    const signature = JSON.stringify({ openrouter: { reasoning_details: details } });
    const said: ModelMessage[] = [
      user('Hi'),
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'hm', signature },
          { type: 'text', text: 'Yes' },
        ],
      },
      called('c', '{"google":{"thoughtSignature":"sealed"}}'),
    ];
    expect(bodyFor(request(said), { ...target, quirks: {} })['messages']).toMatchObject([
      {},
      {},
      { role: 'assistant', content: 'Yes', reasoning_details: details },
      { tool_calls: [{ extra_content: { google: { thought_signature: 'sealed' } } }] },
    ]);
  });

  it('says how much to think, and how long, in the vendor’s words', () => {
    const sent = request([user('Hi')], {
      parameters: { temperature: 0.3, topP: 0.9, maxOutputTokens: 9, reasoningEffort: 'none' },
    });
    const withQuirks = (quirks: WireTarget['quirks']) => bodyFor(sent, { ...target, quirks });
    expect(withQuirks({ reasoning: 'thinking' })).toMatchObject({
      temperature: 0.3,
      top_p: 0.9,
      max_tokens: 9,
      thinking: { type: 'disabled' },
    });
    expect(withQuirks({ reasoning: 'enable_thinking' })).toMatchObject({ enable_thinking: false });
    const bare = withQuirks({
      maxTokensField: 'max_completion_tokens',
      noSampling: true,
      noStreamUsage: true,
    });
    expect(bare).toMatchObject({ max_completion_tokens: 9 });
    for (const field of ['temperature', 'top_p', 'stream_options', 'max_tokens', 'thinking']) {
      expect(bare).not.toHaveProperty(field);
    }
  });

  it('says how a program wants the answer to look', () => {
    const schema = { type: 'object' };
    const shape = {
      format: { type: 'json' as const, name: 'n', schema, strict: true },
      toolChoice: { name: 'weather' },
      parallelCalls: false,
      stop: ['x'],
      seed: 1,
    };
    expect(bodyFor({ ...request([user('Hi')]), shape })).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
      stop: ['x'],
      seed: 1,
    });
  });

  it('describes media that the model cannot take', () => {
    const blind = { ...everything, imagesIn: false, audioIn: false, filesIn: false };
    const sent = request([
      ...(conversations['files'] ?? []),
      ...(conversations['a result with a picture'] ?? []),
    ]);
    const { messages } = bodyFor(sent, { ...target, capabilities: blind });
    expect(messages).toMatchObject([
      {},
      {
        content: [
          { text: 'Look' },
          { text: '[Image: a.png, image/png]' },
          { text: '[File: a.pdf, application/pdf]' },
        ],
      },
      { content: 'Hi' },
      {},
      { role: 'tool', content: 'See\n[Image: image/png]' },
    ]);
  });

  it('lets the model speak between results and media where the vendor wants it to', () => {
    const sent = request([called('c'), answered('c', { content: [image] })]);
    const rolesWith = (quirks: WireTarget['quirks']) =>
      (bodyFor(sent, { ...target, quirks })['messages'] as { role: string }[]).map(
        ({ role }) => role,
      );
    expect(rolesWith({}).slice(-2)).toEqual(['tool', 'user']);
    const refusal = { statusCode: 400, message: "Unexpected role 'user' after role 'tool'" };
    const { quirks } = learnFromRefusal(refusal, target, true) ?? {};
    expect(rolesWith(quirks).slice(-3)).toEqual(['tool', 'assistant', 'user']);
  });

  it('lets the model speak between results and the words of a program, too', () => {
    const parts = [{ type: 'text' as const, text: 'Go on' }];
    const words = { role: 'user' as const, parts, afterResults: true as const };
    const sent = request([called('c'), answered('c', { content: [text('See')] }), words]);
    const rolesWith = (quirks: WireTarget['quirks']) =>
      (bodyFor(sent, { ...target, quirks })['messages'] as { role: string }[]).map(
        ({ role }) => role,
      );
    expect(rolesWith({}).slice(-2)).toEqual(['tool', 'user']);
    const asked = rolesWith({ noUserAfterResults: true }).slice(-3);
    expect(asked).toEqual(['tool', 'assistant', 'user']);
  });

  it('puts media into the result where the vendor takes them there, and sound where it can', () => {
    const quirks = { mediaInToolResults: true };
    const sent = request([
      { role: 'user', parts: [{ type: 'file', mimeType: 'audio/mpeg', data: 'AQID' }] },
      called('c'),
      answered('c', { content: [text('See'), image] }),
    ]);
    expect(bodyFor(sent, { ...target, quirks })['messages']).toMatchObject([
      {},
      { content: [{ type: 'input_audio', input_audio: { data: 'AQID', format: 'mp3' } }] },
      {},
      { role: 'tool', content: [{ text: 'See' }, { type: 'image_url' }] },
    ]);
  });

  it('is a list of messages, whether or not the first ones say anything', () => {
    const messagesOf = (...messages: ModelMessage[]) =>
      bodyFor({ ...request(messages), system: '' })['messages'];
    const hi = { role: 'user', content: 'Hi' };
    expect(messagesOf()).toEqual([]);
    expect(messagesOf(user(''))).toEqual([]);
    expect(messagesOf(user(''), user('Hi'), user(''), user('Hi'))).toEqual([hi, hi]);
  });

  it('writes each message once, however often it is sent', () => {
    const question = user('中文');
    const sent = request([question]);
    const first = openAiChat.toRequest(sent, target).body;
    Object.defineProperty(question, 'parts', { get: () => expect.fail('It was read again.') });
    expect(openAiChat.toRequest(sent, target).body).toEqual(first);
    expect(String(Buffer.concat(first))).toContain('中文');
  });

  it('writes each tool once, in the same bytes every round', () => {
    const sent = request([user('Hi')]);
    const tools = (body: Buffer[]) => String(Buffer.concat(body)).split('"tools":')[1];
    const first = openAiChat.toRequest(sent, target).body;
    let reads = 0;
    for (const tool of sent.tools) {
      Object.defineProperty(tool, 'inputSchema', { get: () => (reads += 1) });
    }
    const second = openAiChat.toRequest({ ...sent, tools: [...sent.tools] }, target).body;
    expect(tools(second)).toBe(tools(first));
    expect(reads).toBe(0);
  });

  const recorded = new URL(
    '../../../../../shared/recordings/loops/openai-chat.json',
    import.meta.url,
  );
  it.skipIf(!existsSync(recorded))('equals the recorded ones of a loop', () => {
    const { interactions } = JSON.parse(readFileSync(recorded, 'utf8')) as {
      interactions: { request: { body: string } }[];
    };
    const bodies = interactions.map(({ request: sent }) => JSON.parse(sent.body) as LoopBody);
    expect(bodies).toHaveLength(2);
    for (const body of bodies) {
      const sent = toModelRequest(body);
      const { tool_choice: _auto, ...own } = bodyFor(sent, {
        ...target,
        model: body.model,
      });
      expect(own).toEqual(body);
    }
  });
});

interface LoopBody {
  model: string;
  messages: {
    role: string;
    content: string | null;
    tool_call_id?: string;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  }[];
  tools: { function: { name: string; description: string; parameters: object } }[];
  temperature: number;
  max_tokens: number;
}

/** The conversation that a recorded request was made of. */
function toModelRequest(body: LoopBody): ModelRequest {
  const messages = body.messages.flatMap((message): ModelMessage[] => {
    const { role, content, tool_calls = [], tool_call_id: callId = '' } = message;
    if (role === 'user') return [user(content ?? '')];
    if (role === 'tool') {
      return [{ role: 'tool', results: [{ callId, toolName: '', result: resultOf(content) }] }];
    }
    if (role !== 'assistant') return [];
    const parts = tool_calls.map((one) => ({
      type: 'tool-call' as const,
      callId: one.id,
      toolName: one.function.name,
      arguments: JSON.parse(one.function.arguments) as Record<string, string>,
    }));
    return [{ role, parts }];
  });
  return {
    purpose: 'answer',
    system: body.messages[0]?.content ?? '',
    messages,
    tools: body.tools.map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      inputSchema: parameters as ModelRequest['tools'][number]['inputSchema'],
    })),
    parameters: { temperature: body.temperature, maxOutputTokens: body.max_tokens },
  };
}

const resultOf = (content: string | null): ToolResult => ({ content: [text(content ?? '')] });
