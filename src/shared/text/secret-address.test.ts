import { describe, expect, it } from 'vitest';
import { judgeMove, keepsSecret, toEnterAgain } from './secret-address.ts';

const address = 'https://api.example/v1';

describe('a stored secret (T78)', () => {
  it.each([
    ['https://API.Example/v1', 'none'],
    ['https://api.example:443/v1', 'none'],
    ['https://api.example/v2', 'within'],
    ['https://api.example/v1?x=1', 'within'],
    ['http://api.example/v1', 'elsewhere'],
    ['https://api.example:8443/v1', 'elsewhere'],
    ['https://api.example./v1', 'elsewhere'],
    ['https://sub.api.example/v1', 'elsewhere'],
    ['https://api.example.evil.test/v1', 'elsewhere'],
    ['https://evil.test/https://api.example/v1', 'elsewhere'],
    ['https://api.example@evil.test/v1', 'elsewhere'],
    ['', 'elsewhere'],
    ['not an address', 'elsewhere'],
  ] as const)('that was given for one address and now %s: %s', (after, move) => {
    expect(judgeMove(address, after)).toBe(move);
    expect(judgeMove(after, address)).toBe(move);
    expect(keepsSecret('key', address, after)).toBe(move !== 'elsewhere');
    expect(keepsSecret('sign-in', address, after)).toBe(move === 'none');
    const names = toEnterAgain({ before: address, after }, ['apiKey']);
    expect(names).toEqual(move === 'elsewhere' ? ['apiKey'] : []);
  });

  it('of an address that is opaque moves nowhere', () => {
    expect(judgeMove('data:a', 'data:b')).toBe('elsewhere');
    expect(judgeMove('', '')).toBe('none');
  });
});
