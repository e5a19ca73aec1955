import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { asksForSecret } from './secret-question.ts';

const asks = (properties: Record<string, JsonObject>, message = 'Please fill in.') =>
  asksForSecret({ message, schema: { type: 'object', properties } });

describe('asksForSecret', () => {
  it('sees passwords, keys and cards in names, titles and words', () => {
    expect(asks({ password: {} })).toBe(true);
    expect(asks({ apiKey: {} })).toBe(true);
    expect(asks({ user_pin: {} })).toBe(true);
    expect(asks({ x: { title: 'Your CVV' } })).toBe(true);
    expect(asks({ x: { description: '请输入密码' } })).toBe(true);
    expect(asks({ x: { format: 'password' } })).toBe(true);
    expect(asks({}, 'Enter your one-time code')).toBe(true);
  });

  it('leaves other questions alone', () => {
    expect(
      asks({ name: {}, spinning: {}, passenger: {}, keyboard: { title: 'Tokens left' } }),
    ).toBe(false);
  });
});
