import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import {
  offeredServers,
  ownServersFirst,
  reachableServers,
  selectedServers,
} from './servers-in-use.ts';

const server = (id: string, more: Partial<ServerView> = {}): ServerView => ({
  id,
  name: id,
  type: 'stdio',
  state: 'idle',
  since: 0,
  builtin: false,
  launchHash: '',
  config: {},
  ...more,
});
const ids = (servers: ServerView[]) => servers.map(({ id }) => id);

describe('the servers of a conversation', () => {
  it('are for everyone and its own, not those of another', () => {
    const servers = [
      server('all'),
      server('mine', { attachedTo: { topic: 't' } }),
      server('others', { attachedTo: { topic: 'u' } }),
      server('assistants', { attachedTo: { assistant: 'a' } }),
    ];
    expect(ids(reachableServers(servers, { topicId: 't', assistantId: 'a' }))).toEqual([
      'all',
      'mine',
      'assistants',
    ]);
    expect(ids(reachableServers(servers, { topicId: null, assistantId: 'b' }))).toEqual(['all']);
  });

  it('a picker that ticks all servers: shows own ones before those that are built in', () => {
    const servers = [
      server('fetch', { builtin: true }),
      server('b'),
      server('time', { builtin: true }),
      server('a'),
    ];
    expect(ids(ownServersFirst(servers))).toEqual(['b', 'a', 'fetch', 'time']);
  });

  it('are those of the selection that may run at all', () => {
    const servers = [server('a'), server('b'), server('c', { state: 'draft' })];
    const auto = { enabled: true, mode: 'auto', selectedServers: ['b'] } as const;
    const some = { enabled: true, mode: 'manual', selectedServers: ['b', 'c'] } as const;
    expect(ids(selectedServers(servers, { ...auto, selectedServers: ['b'] }))).toEqual(['a', 'b']);
    expect(ids(selectedServers(servers, { ...some, selectedServers: ['b', 'c'] }))).toEqual(['b']);
    expect(selectedServers(servers, { ...auto, selectedServers: [], enabled: false })).toEqual([]);
    const own = server('own', { attachedTo: { topic: 't' } });
    const none = { enabled: true, mode: 'manual' as const, selectedServers: [] };
    expect(ids(selectedServers([...servers, own], none))).toEqual(['own']);
    expect(selectedServers([own], { ...none, enabled: false })).toEqual([]);
  });

  it('leave the demo server to the demo model, unless it is selected', () => {
    const servers = [
      server('demo', { name: 'demo', builtin: true }),
      server('x', { name: 'demo' }),
      server('down', { state: 'failed' }),
    ];
    const auto = { enabled: true, mode: 'auto' as const, selectedServers: [] };
    const some = { enabled: true, mode: 'manual' as const, selectedServers: ['demo'] };
    expect(ids(offeredServers(servers, auto, { scripted: true }))).toEqual(['demo', 'x']);
    expect(ids(offeredServers(servers, auto, { scripted: false }))).toEqual(['x']);
    expect(ids(offeredServers(servers, some, { scripted: false }))).toEqual(['demo']);
  });
});
