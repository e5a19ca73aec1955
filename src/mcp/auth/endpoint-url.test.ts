import { describe, expect, it } from 'vitest';
import { isLoopback } from '#shared/text/loopback.ts';
import { canonicalResource, checkEndpoint, resourceCovers } from './endpoint-url.ts';

describe('checkEndpoint', () => {
  const remote = new URL('https://mcp.example/mcp');
  const local = new URL('http://localhost:3000/mcp');

  it('accepts https everywhere, and http on this machine for a server that is on it', () => {
    expect(checkEndpoint('https://a.example/x?y=1', 'it', remote).href).toBe(
      'https://a.example/x?y=1',
    );
    expect(checkEndpoint('http://127.0.0.1:9/x', 'it', local).port).toBe('9');
    expect(() => checkEndpoint('http://127.0.0.1:9/x', 'it', remote)).toThrow("isn't an https URL");
    expect(() => checkEndpoint('http://a.example/x', 'it', local)).toThrow("isn't an https URL");
  });

  it.each([
    'ftp://a.example',
    'https://a@b.example',
    'https://a.example/#x',
    'https://a b',
    '//x',
    '',
  ])('refuses %j', (text) =>
    expect(() => checkEndpoint(text, 'it', local)).toThrow(/^Sign-in stopped: it /),
  );
});

it.each([
  ['http://localhost', true],
  ['http://LOCALHOST:1', true],
  ['http://app.localhost', true],
  ['http://127.0.0.1', true],
  ['http://0x7f.1', true],
  ['http://[::1]:80', true],
  ['http://127.0.0.1.evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://notlocalhost', false],
  ['http://10.0.0.1', false],
  ['http://0.0.0.0', false],
])('knows whether %s is this machine', (url, expected) => {
  expect(isLoopback(new URL(url))).toBe(expected);
});

it.each([
  ['https://s.test/mcp', 'https://s.test/mcp', true],
  ['https://s.test', 'https://s.test/mcp', true],
  ['https://s.test/', 'https://s.test/mcp', true],
  ['https://S.test/a', 'https://s.test/a/mcp', true],
  ['https://s.test/mcp/', 'https://s.test/mcp', true],
  ['https://s.test/mc', 'https://s.test/mcp', false],
  ['https://s.test/mcp/more', 'https://s.test/mcp', false],
  ['https://s.test:8443/mcp', 'https://s.test/mcp', false],
  ['http://s.test/mcp', 'https://s.test/mcp', false],
  ['https://s.test/mcp#x', 'https://s.test/mcp', false],
  ['https://s.test@evil.test/mcp', 'https://s.test/mcp', false],
  ['urn:x', 'https://s.test/mcp', false],
])('judges whether a token for %s is for %s', (resource, server, expected) => {
  expect(resourceCovers(resource, new URL(server))).toBe(expected);
});

it('names a server by its address, without an empty path', () => {
  expect(canonicalResource(new URL('https://S.test'))).toBe('https://s.test');
  expect(canonicalResource(new URL('https://s.test/mcp/#x'))).toBe('https://s.test/mcp/');
  expect(canonicalResource(new URL('https://s.test/?a=1'))).toBe('https://s.test/?a=1');
});
