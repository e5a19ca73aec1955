import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { findServers } from './find-servers.ts';

function server(name: string, more: Partial<ServerView> = {}): ServerView {
  const facts = { id: name, since: 0, launchHash: '', builtin: false, type: 'stdio' as const };
  return { ...facts, name, state: 'connected', config: {}, ...more };
}

describe('findServers', () => {
  const servers = [
    server('clock', { builtin: true, state: 'idle' }),
    server('shop', { config: { command: 'npx', args: ['@acme/shop'], tags: ['work'] } }),
    server('mail', { state: 'needs-auth', config: { baseUrl: 'https://mail.example/' } }),
  ];
  const names = (...args: [Parameters<typeof findServers>[1], string]) =>
    findServers(servers, ...args).map(({ name }) => name);

  it('finds by every word, wherever it stands, and shows people’s own first', () => {
    expect(names('all', '')).toEqual(['shop', 'mail', 'clock']);
    expect(names('all', ' ACME  work')).toEqual(['shop']);
    expect(names('all', 'mail.example')).toEqual(['mail']);
    expect(names('all', 'acme mail')).toEqual([]);
  });

  it('finds what needs attention and what is not in use', () => {
    expect(names('waiting', '')).toEqual(['mail']);
    expect(names('off', '')).toEqual(['clock']);
  });
});
