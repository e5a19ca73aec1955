import { expect, it } from 'vitest';
import { redactFields } from './redact.ts';

it.each([
  'token',
  'access_token',
  'refreshToken',
  'client_secret',
  'x-api-key',
  'apiKey',
  'Authorization',
  'set-cookie',
  'key',
])('T99: a line of the log has nothing of a field called %s', (name) => {
  const fields = { code: 'x', inner: [{ [name]: 'canary' }], inputTokens: 3, keys: 2 };
  const seen = redactFields(fields);
  expect(JSON.stringify(seen)).not.toContain('canary');
  expect(seen).toMatchObject({ code: 'x', inputTokens: 3, keys: 2 });
});
