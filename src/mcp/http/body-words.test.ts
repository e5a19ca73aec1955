import { expect, it } from 'vitest';
import { bodyWords } from './body-words.ts';

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
