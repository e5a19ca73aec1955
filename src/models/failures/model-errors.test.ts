import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { cpuTime } from '../../../test/cpu-time.ts';
import { classifyModelError } from './model-errors.ts';

const apiError = (statusCode: number | undefined, message: string, extra: object = {}) =>
  new APICallError({
    message,
    url: 'https://user:pw@api.example/v1/chat?key=1',
    requestBodyValues: {},
    ...(statusCode !== undefined && { statusCode }),
    ...extra,
  });
const system = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

describe('classifyModelError', () => {
  it.each([
    ['a wrong key', apiError(401, 'Incorrect API key provided: sk-abc'), 'model_unauthorized'],
    ['a forbidden key', apiError(403, 'Forbidden'), 'model_unauthorized'],
    [
      'a wrong key told in the stream',
      { message: 'bad', code: 'invalid_api_key' },
      'model_unauthorized',
    ],
    [
      'a wrong key as Google says it',
      apiError(400, 'API key not valid. Please pass a valid API key.'),
      'model_unauthorized',
    ],
    [
      'a full context as Anthropic says it',
      apiError(400, 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000'),
      'model_context_too_long',
    ],
    ['an empty account', apiError(402, 'Payment'), 'model_no_credit'],
    [
      'an empty account told as 429',
      apiError(429, 'x', { data: { error: { code: 'insufficient_quota' } } }),
      'model_no_credit',
    ],
    ['a DeepSeek balance', apiError(400, 'Insufficient Balance'), 'model_no_credit'],
    ['a rate limit', apiError(429, 'slow down'), 'model_rate_limited'],
    [
      'a rate limit in the stream',
      { message: 'x', type: 'rate_limit_exceeded' },
      'model_rate_limited',
    ],
    [
      'a long prompt',
      apiError(400, "This model's maximum context length is 8192 tokens"),
      'model_context_too_long',
    ],
    [
      'a long prompt by code',
      { message: 'x', code: 'context_length_exceeded' },
      'model_context_too_long',
    ],
    ['a large body', apiError(413, 'Too large'), 'model_context_too_long'],
    [
      'a refusal',
      apiError(400, 'x', { data: { error: { code: 'content_policy_violation' } } }),
      'model_refused',
    ],
    ['an unknown model', apiError(404, 'The model `x` does not exist'), 'model_not_found'],
    [
      'an unknown model of a local server',
      apiError(404, 'model "llama9" not found, try pulling it first'),
      'model_not_found',
    ],
    [
      'a refused connection',
      apiError(undefined, 'Cannot connect', { cause: system('ECONNREFUSED') }),
      'model_unreachable',
    ],
    [
      'several refused addresses',
      Object.assign(new AggregateError([system('ECONNREFUSED')]), {}),
      'model_unreachable',
    ],
    [
      'an unknown host',
      apiError(undefined, 'x', { cause: system('ENOTFOUND') }),
      'model_unreachable',
    ],
    [
      'a bad certificate',
      apiError(undefined, 'x', { cause: system('CERT_HAS_EXPIRED') }),
      'model_unreachable',
    ],
    [
      'a cut connection',
      new TypeError('terminated', { cause: system('UND_ERR_SOCKET') }),
      'model_failed',
    ],
    ['a failing server', apiError(502, 'Bad gateway'), 'model_failed'],
    ['an abort', new DOMException('x', 'AbortError'), 'cancelled'],
    ['a time-out', new DOMException('x', 'TimeoutError'), 'model_failed'],
    ['our own error', new CeriseError('timed_out', 'x'), 'timed_out'],
    ['a text', 'boom', 'model_failed'],
    ['nothing', undefined, 'model_failed'],
    ['null', null, 'model_failed'],
    ['a number', 42, 'model_failed'],
  ])('tells %s', (_name, error, code) => {
    const info = classifyModelError(error);
    expect(info.code).toBe(code);
    expect(info.message.length).toBeGreaterThan(0);
  });

  it.each([
    [429, 'Rate limit reached. Please try again in 20s. Add a payment method: https://x/billing'],
    [429, 'You exceeded your current quota, please check your plan and billing details.'],
    [413, 'Request too large for tokens per minute. Upgrade at https://x/settings/billing'],
  ])('does not take %i with a word about billing for an empty account', (status, message) => {
    expect(classifyModelError(apiError(status, message)).code).not.toBe('model_no_credit');
  });

  it.each([
    'the request exceeds the available context size, try increasing it',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'Range of input length should be [1, 129024]',
    'Invalid request: Your request exceeded model token limit: 8192',
    'Prompt exceeds max length',
    'length of prompt_tokens (40000) must be less than max_seq_len (32768)',
    '`inputs` tokens + `max_new_tokens` must be <= 8193',
    'prompt token count of 132000 exceeds the limit of 128000',
  ])('knows a full context in the words of any vendor: %s', (message) => {
    expect(classifyModelError(apiError(400, message)).code).toBe('model_context_too_long');
  });

  it.each([
    'image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
    'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens',
  ])('does not take another limit for a full context: %s', (message) => {
    expect(classifyModelError(apiError(400, message)).code).toBe('model_failed');
  });

  it.each([
    [404, 'model: claude-9'],
    [404, 'models/gemini-9 is not found for API version v1beta'],
    [400, 'foo/bar is not a valid model ID'],
    [400, 'Invalid model: mistral-foo'],
    [400, 'Model Not Exist'],
  ])('knows an unknown model in the words of any vendor: %i %s', (status, message) => {
    expect(classifyModelError(apiError(status, message)).code).toBe('model_not_found');
  });

  it.each([
    ['Your input was flagged for "violence".', '', 'model_refused', /content policy/],
    ["Your team doesn't have any credits or licenses yet.", '', 'model_no_credit', /credit/],
    ['Country, region, or territory not supported', '', 'model_failed', /region/],
    ['User location is not supported for the API use.', '', 'model_failed', /region/],
    ['', '<!DOCTYPE html><title>Just a moment...</title>', 'model_failed', /rejected/],
  ])('does not blame the key for a 403 that says %j%s', (message, responseBody, code, words) => {
    const data = {
      error: { message, code: message.startsWith('Country') && 'unsupported_country' },
    };
    const info = classifyModelError(apiError(403, message, { responseBody, data }));
    expect(info).toMatchObject({ code, message: expect.stringMatching(words) });
  });

  it('quotes a vendor once, although its sentence has quotes and line breaks', () => {
    const error = { message: 'Flagged for "x".\nSorry.' };
    const info = classifyModelError({
      statusCode: 400,
      data: { error },
      responseBody: JSON.stringify({ error }),
    });
    expect(info.details).toMatchObject({ vendorMessage: error.message });
  });

  it.each([
    [{ 'retry-after': '12' }, 12],
    [{ 'Retry-After': '0.5' }, 0.5],
    [{ 'retry-after-ms': '250' }, 0.25],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '1.2.3' }, undefined],
    [{ 'retry-after-ms': '-5' }, 0],
    [{ 'retry-after-ms': '1e999', 'retry-after': '7' }, 7],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{}, undefined],
  ])('reads the wait from %j', (responseHeaders, seconds) => {
    const info = classifyModelError(apiError(429, 'x', { responseHeaders }));
    expect((info.details as { retryAfter?: number }).retryAfter).toBe(seconds);
  });

  it('reads the wait from a date and from the sentence', () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    const dated = classifyModelError(
      apiError(429, 'x', { responseHeaders: { 'retry-after': date } }),
    );
    expect((dated.details as { retryAfter: number }).retryAfter).toBeGreaterThan(25);
    const written = classifyModelError(
      apiError(429, 'Rate limit reached. Please try again in 1.5s.'),
    );
    expect(written.details).toMatchObject({ retryAfter: 1.5 });
    const long = classifyModelError(apiError(429, 'Please try again in 1h30m12.5s.'));
    expect(long.details).toMatchObject({ retryAfter: 5412.5 });
    const data = { error: { code: 429, message: 'Quota', details: [{}, { retryDelay: '26s' }] } };
    const detailed = classifyModelError({ statusCode: 429, data });
    expect(detailed.details).toMatchObject({ retryAfter: 26 });
  });

  it('says nothing of a wait that is no time', () => {
    const info = classifyModelError(apiError(429, 'Please try again in 1.2.3s.'));
    expect((info.details as { retryAfter?: number }).retryAfter).toBeUndefined();
    expect(info.hint).toBe('Wait a moment and try again, or choose another model.');
  });

  it.each(['0', '99999999999999999999', 'Wed, 21 Oct 2199 07:28:00 GMT'])(
    'asks nobody to wait for %s',
    (wait) => {
      const info = classifyModelError(
        apiError(429, 'x', { responseHeaders: { 'retry-after': wait } }),
      );
      expect(info.hint).toBe('Wait a moment and try again, or choose another model.');
    },
  );

  it('T85: reads no more of an error than it needs', () => {
    const words = 'model '.repeat(5_000_000);
    const classify = () => classifyModelError({ error: { message: words, type: words } });
    expect(
      cpuTime(() => expect(JSON.stringify(classify()).length).toBeLessThan(2000)),
    ).toBeLessThan(500);
  });

  it('says where it could not connect, without credentials or path', () => {
    const info = classifyModelError(apiError(undefined, 'x', { cause: system('ECONNREFUSED') }));
    expect(info.message).toBe("Couldn't reach https://api.example: the connection was refused.");
  });

  it('never gives the key away', () => {
    const key = 'verysecret-0123456789';
    const body = JSON.stringify({
      error: { message: `Key ${key} is bad, as is sk-proj-abcdef123456 or Bearer abc.def.ghi` },
    });
    const error = apiError(401, `no: ${key}`, {
      responseBody: body,
      cause: new Error(`https://u:${key}@host/`),
      data: { error: { message: key, code: key, type: key } },
    });
    const told = JSON.stringify(classifyModelError(error, [key]));
    expect(told).not.toContain('verysecret');
    expect(told).not.toContain('sk-proj');
    expect(told).not.toContain('abc.def');
  });

  it('survives errors that contain themselves', () => {
    const loop: { cause?: unknown; error?: unknown; message: string } = { message: 'x' };
    loop.cause = loop;
    loop.error = loop;
    expect(classifyModelError(loop).code).toBe('model_failed');
  });
});
