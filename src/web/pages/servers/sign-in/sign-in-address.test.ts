import { describe, expect, it } from 'vitest';
import { isImitable, signInAddress } from './sign-in-address.ts';

describe('the address of a page to sign in at', () => {
  it.each([
    'https://accounts.example.com/authorize?a=b',
    'http://127.0.0.1:4000/authorize',
    'http://localhost/authorize',
    'http://[::1]:4000/',
  ])('may be %s', (text) => {
    expect(signInAddress(text)?.href).toBe(new URL(text).href);
  });

  it.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' \u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://a.test/1',
    'http://accounts.example.com/',
    'http://127.0.0.1.evil.test/',
    'https://user:word@example.com/',
    '//example.com',
    '--flag',
    '',
  ])('is never %j', (text) => {
    expect(signInAddress(text)).toBeNull();
  });

  it('is marked where its name could imitate another', () => {
    expect(isImitable(new URL('https://аpple.com/'))).toBe(true);
    expect(isImitable(new URL('https://apple.com/'))).toBe(false);
  });
});
