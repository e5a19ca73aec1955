import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type {
  ElicitationAnswer,
  RequestAnswers,
  ServerRequest,
} from '#shared/vocabulary/server-request.ts';
import { answerServer } from './server-requests.ts';

const context = {
  serverId: 's',
  serverName: 'Server',
  callId: 'c',
  signal: new AbortController().signal,
};

function answering(answer: ElicitationAnswer) {
  const asked: ServerRequest[] = [];
  const answers: RequestAnswers = {
    elicit: async (request) => {
      asked.push(request);
      return answer;
    },
    sample: async () => ({ role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' }),
    roots: async () => [{ uri: 'file:///a' }],
  };
  return { answers, asked };
}

const form = {
  message: 'Who are you?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'Ann' },
      size: { type: 'string', enum: ['s', 'm'], default: 'm' },
      age: { type: 'integer' },
    },
    required: ['name'],
  },
};

describe('a form', () => {
  it('goes to the person, and what was left open takes its default', async () => {
    const { answers, asked } = answering({ action: 'accept', content: { name: 'Bo' } });
    const result = await answerServer('elicitation/create', form, answers, context);
    expect(result).toEqual({ action: 'accept', content: { name: 'Bo', size: 'm' } });
    expect(asked).toEqual([
      { kind: 'form', message: 'Who are you?', schema: { ...form.requestedSchema } },
    ]);
  });

  it.each(['decline', 'cancel'] as const)(
    'that the person answers with %s carries nothing',
    async (action) => {
      const { answers } = answering({ action, content: { name: 'secret' } });
      expect(await answerServer('elicitation/create', form, answers, context)).toEqual({ action });
    },
  );

  it('without fields, or with too many, is refused', async () => {
    const { answers, asked } = answering({ action: 'accept' });
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, {}]));
    for (const requestedSchema of [undefined, 'x', {}, { properties: many }]) {
      const params = { message: 'Hi', requestedSchema } as JsonObject;
      await expect(
        answerServer('elicitation/create', params, answers, context),
      ).rejects.toMatchObject({ code: -32602 });
    }
    expect(asked).toEqual([]);
  });
});

describe('an address', () => {
  it('goes to the person as it is', async () => {
    const { answers, asked } = answering({ action: 'accept', content: { ignored: true } });
    const params = {
      mode: 'url',
      message: 'Pay',
      url: 'https://pay.example/?a=1',
      elicitationId: 'e',
    };
    expect(await answerServer('elicitation/create', params, answers, context)).toEqual({
      action: 'accept',
    });
    expect(asked).toEqual([
      { kind: 'url', message: 'Pay', url: 'https://pay.example/?a=1', elicitationId: 'e' },
    ]);
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'https://user:pw@a.example',
    'not a url',
    `https://a.example/${'x'.repeat(9000)}`,
    7,
  ])('like %s is refused (T28)', async (url) => {
    const { answers, asked } = answering({ action: 'accept' });
    const params = { mode: 'url', message: 'Go', url } as JsonObject;
    await expect(
      answerServer('elicitation/create', params, answers, context),
    ).rejects.toMatchObject({ code: -32602 });
    expect(asked).toEqual([]);
  });
});

it('asks for sampling and roots with the name of the server and the call', async () => {
  const { answers } = answering({ action: 'cancel' });
  const sample = vi.spyOn(answers, 'sample');
  expect(
    await answerServer('sampling/createMessage', { maxTokens: 5 }, answers, context),
  ).toMatchObject({ role: 'assistant', model: 'm' });
  expect(sample).toHaveBeenCalledWith({ maxTokens: 5 }, context);
  expect(await answerServer('roots/list', {}, answers, context)).toEqual({
    roots: [{ uri: 'file:///a' }],
  });
});

it('answers a ping always, and nothing else where nobody answers', async () => {
  expect(await answerServer('ping', {}, undefined, context)).toEqual({});
  for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list', 'odd'])
    await expect(answerServer(method, {}, undefined, context)).rejects.toMatchObject({
      code: -32601,
    });
});
