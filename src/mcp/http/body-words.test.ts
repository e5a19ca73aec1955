import { expect, it } from 'vitest';
import { hintOf } from '#shared/errors/errors.ts';
import { textOf } from '#shared/errors/sentence.ts';
import { bodyWords } from './body-words.ts';
import { classifyStatus } from './http-errors.ts';

it.each([
  ['Missing x-api-key header', 'Missing x-api-key header'],
  [
    '{"error":"invalid_token","error_description":"The token has expired"}',
    'The token has expired',
  ],
  ['{"jsonrpc":"2.0","error":{"code":-32000,"message":"No key"},"id":null}', 'No key'],
  ['{"detail":[{"msg":"field required","loc":["header"]}]}', 'field required'],
  ['{"errors":[]}', undefined],
  ['{"message":"cut off in the mid', undefined],
  ['{"message":"whole","more":"cut', 'whole'],
  ['<!DOCTYPE html><html><head><title>404 Not Found</title></head>', '404 Not Found'],
  ['<html><body>x', undefined],
  ['two\n\tlines\u0007', 'two lines'],
  ['', undefined],
])('finds the words of %j', (body, words) => {
  expect(bodyWords(body)).toBe(words);
});

it.each([
  [401, 'The API key is missing', 'HTTP status 401: The API key is missing.'],
  [404, '<title>404 Not Found</title>', 'HTTP status 404: Not Found.'],
  [429, 'Slow down!', 'HTTP status 429: Slow down!'],
])('tells of a %i as a sentence', (status, body, words) => {
  const text = body.startsWith('<') ? `<!DOCTYPE html>${body}` : body;
  const answer = { status, host: 'a.test', headers: {}, text, repeatable: true };
  expect(classifyStatus(answer).message).toContain(words);
});

it.each([
  [402, 'payment or another plan'],
  [403, 'sign in with another account'],
  [422, 'URL and headers'],
])('says what to do about a %i', (status, words) => {
  const error = classifyStatus({ status, host: 'a.test', headers: {}, text: '', repeatable: true });
  expect(textOf(hintOf(error) ?? '')).toContain(words);
});
