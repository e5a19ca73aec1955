import { afterEach, describe, expect, it, vi } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import type { Channel, Era } from './channel.ts';
import { greet } from './greet.ts';
import type { RpcRequest } from './messages.ts';
import { RpcPeer } from './peer.ts';
import { TestChannel } from '../../../test/fakes/test-channel.ts';

const discovery = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'new', version: '1' } },
};
const handshake = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'old', version: '1' },
};

type Script = Record<string, (request: RpcRequest, channel: TestChannel) => void>;

async function meet(kind: Channel['kind'], script: Script, known?: Era) {
  const channel = new TestChannel(kind);
  channel.script = (request) => script[request.method]?.(request, channel);
  const handlers = {
    onRequest: async () => ({}),
    onNotification: () => undefined,
    note: () => undefined,
    onClose: () => undefined,
  };
  const peer = new RpcPeer(channel, handlers);
  await peer.open();
  const introduction = { clientInfo: { name: 'us' }, capabilities: {}, meta: { us: true } };
  const { signal } = new AbortController();
  const note = (): undefined => undefined;
  const initialiseTime = 30_000;
  const greeting = greet({ peer, channel, introduction, signal, initialiseTime, note }, known);
  greeting.catch(() => undefined);
  return { channel, greeting };
}

const modern: Script = {
  'server/discover': ({ id }, channel) => channel.result(id, discovery),
  initialize: ({ id }, channel) => channel.error(id, -32601),
};
const legacy: Script = {
  'server/discover': ({ id }, channel) => channel.error(id, -32601),
  initialize: ({ id }, channel) => channel.result(id, handshake),
};
const silent: Script = { initialize: ({ id }, channel) => channel.result(id, handshake) };

afterEach(() => void vi.useRealTimers());

describe.each(['stdio', 'streamableHttp'] as const)('a server over %s', (kind) => {
  it('that is modern is asked once and greeted no further', async () => {
    const { channel, greeting } = await meet(kind, modern);
    expect(await greeting).toMatchObject({
      agreement: { era: 'modern', version: '2026-07-28' },
      serverInfo: { name: 'new', version: '1' },
    });
    expect(channel.methods()).toEqual(['server/discover']);
    expect(channel.agreement?.era).toBe('modern');
  });

  it.each([-32601, -32602, -32600, -32000, 1])(
    'that is old and refuses with %i is shaken hands with',
    async (code) => {
      const { channel, greeting } = await meet(kind, {
        ...legacy,
        'server/discover': ({ id }, on) => on.error(id, code),
      });
      expect((await greeting).agreement).toEqual({ era: 'legacy', version: '2025-06-18' });
      expect(channel.methods()).toEqual([
        'server/discover',
        'initialize',
        'notifications/initialized',
      ]);
    },
  );

  it('that shares only an old version with us is shaken hands with in that version', async () => {
    const { channel, greeting } = await meet(kind, {
      'server/discover': ({ id }, on) =>
        on.error(id, -32022, 'version', { supported: ['2099-01-01', '2025-06-18'] }),
      initialize: ({ id }, on) => on.result(id, handshake),
    });
    await greeting;
    expect(channel.sent[1]).toMatchObject({ params: { protocolVersion: '2025-06-18' } });
  });

  it('that shares no version with us is refused in words', async () => {
    const { greeting } = await meet(kind, {
      'server/discover': ({ id }, on) =>
        on.error(id, -32022, 'version', { supported: ['2099-01-01'] }),
    });
    await expect(greeting).rejects.toMatchObject({
      code: 'protocol_error',
      message: expect.stringContaining('2099-01-01'),
    });
  });

  it('that answers the probe with nonsense is shaken hands with', async () => {
    const { greeting } = await meet(kind, {
      ...legacy,
      'server/discover': ({ id }, on) => on.result(id, { tools: [] }),
    });
    expect((await greeting).agreement.era).toBe('legacy');
  });

  it('that was found to be old is not probed again', async () => {
    const { channel, greeting } = await meet(kind, legacy, 'legacy');
    await greeting;
    expect(channel.methods()).toEqual(['initialize', 'notifications/initialized']);
  });

  it('that has become modern since is found out', async () => {
    const { greeting } = await meet(kind, modern, 'legacy');
    expect((await greeting).agreement.era).toBe('modern');
  });
});

describe('a process', () => {
  it('that is silent about the probe is greeted after a second, on the same channel', async () => {
    vi.useFakeTimers();
    const { channel, greeting } = await meet('stdio', silent);
    await vi.advanceTimersByTimeAsync(999);
    expect(channel.methods()).toEqual(['server/discover']);
    await vi.advanceTimersByTimeAsync(2);
    expect((await greeting).agreement.era).toBe('legacy');
    expect(channel.methods()).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
    ]);
  });

  it.each(['modern', 'legacy'] as const)('that starts slowly is found to be %s', async (era) => {
    vi.useFakeTimers();
    const waiting: RpcRequest[] = [];
    const script = era === 'modern' ? modern : legacy;
    const { channel, greeting } = await meet('stdio', {
      'server/discover': (request) => void waiting.push(request),
      initialize: (request) => void waiting.push(request),
    });
    await vi.advanceTimersByTimeAsync(8000);
    for (const request of waiting) script[request.method]?.(request, channel);
    expect((await greeting).agreement.era).toBe(era);
  });

  it('that answers nothing at all is given up after the time for a greeting', async () => {
    vi.useFakeTimers();
    const { greeting } = await meet('stdio', {});
    const ended = expect(greeting).rejects.toMatchObject({ code: 'timed_out' });
    await vi.advanceTimersByTimeAsync(32_000);
    await ended;
  });
});

describe('an HTTP server', () => {
  it.each(['http_error', 'timed_out', 'unreadable_response'] as const)(
    'whose probe ends in %s is shaken hands with',
    async (code) => {
      const { greeting } = await meet('streamableHttp', {
        ...legacy,
        'server/discover': ({ id }, on) => on.fail(id, new CeriseError(code, 'No.')),
      });
      expect((await greeting).agreement.era).toBe('legacy');
    },
  );

  it.each(['sign_in_required', 'connection_refused'] as const)(
    'that cannot be used (%s) is not greeted in vain',
    async (code) => {
      const { channel, greeting } = await meet('streamableHttp', {
        'server/discover': ({ id }, on) => on.fail(id, new CeriseError(code, 'No.')),
      });
      await expect(greeting).rejects.toMatchObject({ code });
      expect(channel.methods()).toEqual(['server/discover']);
    },
  );

  it('that is slow and modern is found to be modern, whatever it says to a handshake', async () => {
    vi.useFakeTimers();
    const { channel, greeting } = await meet('streamableHttp', {
      initialize: ({ id }, on) => on.error(id, -32020, 'Missing MCP-Protocol-Version header'),
    });
    await vi.advanceTimersByTimeAsync(6000);
    const [probe] = channel.sent as RpcRequest[];
    modern['server/discover']?.(probe!, channel);
    expect((await greeting).agreement.era).toBe('modern');
  });

  it.each([
    [
      'an error only modern servers give',
      (id: RpcRequest['id'], on: TestChannel) => on.error(id, -32020),
    ],
    [
      'the modern version',
      (id: RpcRequest['id'], on: TestChannel) =>
        on.result(id, { ...handshake, protocolVersion: '2026-07-28' }),
    ],
  ])('that answers the handshake with %s is probed again', async (_what, answer) => {
    let probes = 0;
    const { greeting } = await meet('streamableHttp', {
      'server/discover': ({ id }, on) =>
        ++probes === 1
          ? on.fail(id, new CeriseError('http_error', 'HTTP 503'))
          : on.result(id, discovery),
      initialize: ({ id }, on) => answer(id, on),
    });
    expect((await greeting).agreement.era).toBe('modern');
  });

  it('that is modern for certain keeps its own reason to refuse', async () => {
    let probes = 0;
    const { greeting } = await meet('streamableHttp', {
      'server/discover': ({ id }, on) =>
        on.fail(id, new CeriseError(++probes === 1 ? 'http_error' : 'sign_in_required', 'No.')),
      initialize: ({ id }, on) => on.error(id, -32022, 'no', { supported: ['2026-07-28'] }),
    });
    await expect(greeting).rejects.toMatchObject({ code: 'sign_in_required' });
  });

  it('that is slow and names only old versions is shaken hands with', async () => {
    vi.useFakeTimers();
    const { channel, greeting } = await meet('streamableHttp', {});
    await vi.advanceTimersByTimeAsync(6000);
    const [probe, shake] = channel.sent as RpcRequest[];
    channel.result(probe!.id, { ...discovery, supportedVersions: ['2025-06-18'] });
    channel.result(shake!.id, handshake);
    expect((await greeting).agreement).toEqual({ era: 'legacy', version: '2025-06-18' });
    expect(channel.methods()).toHaveLength(3);
  });
});

it('never probes over SSE and in memory, which are old', async () => {
  for (const kind of ['sse', 'inMemory'] as const) {
    const { channel, greeting } = await meet(kind, legacy);
    await greeting;
    expect(channel.methods()).toEqual(['initialize', 'notifications/initialized']);
  }
});
