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

  it.each([
    'Your table number. Do not enter your PIN.',
    'Please don’t type a password here',
    'The name on the card, never your password',
    'Never share your PIN, password or card number with anyone.',
    'A nickname (not your real password)',
    'We will never ask you for your PIN.',
    '请填写昵称，不要输入密码',
    '请勿在此填写 PIN、密码或验证码。',
    '我们不会索要您的密码',
    '无需密码',
  ])('stumble: does not warn of a field that says not to give a secret: %s', (words) => {
    expect(asks({ x: { description: words } })).toBe(false);
    expect(asks({}, words)).toBe(false);
  });

  it.each([
    'Don’t forget to enter your password',
    'Do not leave the PIN empty',
    'You cannot go on without your password',
    'Enter not only your name but also your PIN',
    'Do not enter your name, enter your password',
    'Do not enter the old password but the new password',
    'Do not worry: your password is safe with us',
    'Never share this window and enter your PIN',
    '不要忘记输入密码',
    '不要输入用户名，请输入密码',
  ])('still warns of a request that has a negation in it: %s', (words) => {
    expect(asks({ x: { description: words } })).toBe(true);
    expect(asks({}, words)).toBe(true);
  });

  it('goes by the name and the format of a field, whatever its description says', () => {
    const description = 'Do not enter your password';
    expect(asks({ password: { description } })).toBe(true);
    expect(asks({ x: { description, format: 'password' } })).toBe(true);
  });
});
