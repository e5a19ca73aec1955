import { describe, expect, it } from 'vitest';
import { readServerInput } from './server-input.ts';

const read = (value: object) => readServerInput({ name: 's', ...value });

function refusal(value: unknown): string {
  try {
    readServerInput(value);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_server' });
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
}

describe('readServerInput', () => {
  it('leaves our own form as it is, long times too', () => {
    const own = { name: 's', type: 'stdio', command: '/a b', args: [], env: {}, timeout: 7200 };
    expect(readServerInput(own)).toEqual(own);
    const bare = { ...own, command: 'a b', args: ['c'] };
    expect(readServerInput(bare)).toEqual(bare);
  });

  it('splits a command line in the place of a command, whatever the type says', () => {
    const line = { name: 's', command: 'npx -y "a b"' };
    const split = { name: 's', type: 'stdio', command: 'npx', args: ['-y', 'a b'], env: {} };
    for (const type of [undefined, 'stdio', 'local'])
      expect(readServerInput({ ...line, ...(type && { type }) })).toEqual(split);
  });

  it('reads an entry of Claude Desktop, Cursor or Cline', () => {
    const entry = {
      command: 'npx',
      args: ['-y', '@scope/server', 3],
      env: { PORT: 80, DEBUG: true, TOKEN: 'x', NONE: null },
      disabled: false,
      alwaysAllow: ['read'],
      timeout: 30,
    };
    expect(read(entry)).toEqual({
      name: 's',
      type: 'stdio',
      command: 'npx',
      args: ['-y', '@scope/server', '3'],
      env: { PORT: '80', DEBUG: 'true', TOKEN: 'x' },
      disabled: false,
      autoApprove: ['read'],
      timeout: 30,
    });
  });

  it('reads a record of Cherry Studio with its empty fields', () => {
    const entry = {
      id: 'x1',
      name: 'Cherry',
      type: 'streamableHttp',
      description: '',
      baseUrl: 'https://example.com/mcp',
      command: '',
      args: [],
      env: {},
      headers: { 'X-Count': 3 },
      isActive: false,
      longRunning: true,
      timeout: 60,
      registryUrl: '',
      provider: 'P',
      providerUrl: 'https://p.example/',
      logoUrl: 'https://p.example/logo.png',
      tags: ['a'],
      disabledTools: ['x'],
      disabledAutoApproveTools: ['y'],
      installSource: 'manual',
      isTrusted: true,
    };
    expect(readServerInput(entry)).toEqual({
      name: 'Cherry',
      type: 'streamableHttp',
      baseUrl: 'https://example.com/mcp',
      headers: { 'X-Count': '3' },
      disabled: true,
      longRunning: true,
      timeout: 60,
      logo: 'https://p.example/logo.png',
      tags: ['a'],
      disabledTools: ['x'],
    });
  });

  it.each([
    [{ url: 'https://x.example/mcp' }, 'streamableHttp'],
    [{ url: 'https://x.example/sse' }, 'sse'],
    [{ url: 'https://x.example/sse/?key=1' }, 'sse'],
    [{ url: 'https://x.example/sse', type: 'http' }, 'streamableHttp'],
    [{ url: 'https://x.example/mcp', type: 'sse' }, 'sse'],
    [{ serverUrl: 'https://x.example/mcp' }, 'streamableHttp'],
    [{ httpUrl: 'https://x.example/sse' }, 'streamableHttp'],
    [{ baseUrl: 'https://x.example/', type: 'streamable-http' }, 'streamableHttp'],
    [{ url: 'https://x.example/', transport: 'streamable_http' }, 'streamableHttp'],
    [{ url: 'https://x.example/', type: 'Streamable HTTP' }, 'streamableHttp'],
    [{ url: 'https://x.example/sse', type: 'remote', enabled: true }, 'sse'],
    [{ builtin: 'fetch', type: 'in-memory' }, 'inMemory'],
  ])('by %j knows the type %s', (entry, type) => {
    expect(read(entry).type).toBe(type);
  });

  it('reads commands written as a list, as one text, or with their arguments', () => {
    const parts = (value: object) => {
      const { command, args } = read(value) as { command: string; args: string[] };
      return [command, ...args];
    };
    const words = ['npx', '-y', 'a b'];
    expect(parts({ type: 'local', command: words, environment: { A: 1 } })).toEqual(words);
    expect(parts({ command: 'npx', args: '-y "a b"' })).toEqual(words);
    expect(parts({ command: 'npx -y "a b"' })).toEqual(words);
    expect(parts({ command: 'npx -y "a b"', args: [] })).toEqual(words);
    expect(parts({ command: '/opt/My App/run' })).toEqual(['/opt/My App/run']);
    expect(parts({ command: 'C:\\My App\\run.exe' })).toEqual(['C:\\My App\\run.exe']);
    expect(parts({ command: 'my tool', args: ['x'] })).toEqual(['my tool', 'x']);
  });

  it('takes long times of other hosts for milliseconds', () => {
    expect(read({ command: 'x', timeout: 600_000 }).timeout).toBe(600);
    expect(read({ command: 'x', timeout: 3600 }).timeout).toBe(3600);
    expect(read({ type: 'stdio', command: 'x', args: 'y', timeout: 7200 }).timeout).toBe(7200);
    expect(read({ type: 'stdio', command: 'x', timeout: 600_000 }).timeout).toBe(600);
    const ours = { name: 's', type: 'stdio', command: 'x', timeout: 600_000 };
    expect(() => readServerInput(ours, 'seconds')).toThrow('timeout');
  });

  it('knows every way to say that a server is switched off', () => {
    for (const off of [{ disabled: true }, { isActive: false }, { enabled: false }]) {
      expect(read({ command: 'x', ...off }).disabled).toBe(true);
    }
    expect(read({ command: 'x', isActive: true, enabled: true })).not.toHaveProperty('disabled');
    expect(read({ command: 'x', isActive: true, disabled: true }).disabled).toBe(true);
  });

  it('never lets a foreign field switch approval off as a whole', () => {
    expect(read({ command: 'x', trust: true, isTrusted: true })).not.toHaveProperty('autoApprove');
  });

  it.each([
    [null, 'JSON object'],
    [[], 'JSON object'],
    [{ mcpServers: { a: { command: 'x' } } }, 'list of servers'],
    [{ name: 's' }, 'command to run or a URL to connect to'],
    [{ command: 'x' }, 'name: is missing.'],
    [{ name: 's', command: 'x', url: 'https://x.example/' }, 'either command or url'],
    [{ name: 's', url: 'https://a.example/', baseUrl: 'https://b.example/' }, 'url and baseUrl'],
    [{ name: 's', type: 'websocket', url: 'ws://x' }, 'type: must be stdio, streamableHttp'],
    [{ name: 's', type: '__proto__', command: 'x' }, 'type: must be'],
    [{ name: 's', url: 'ftp://x.example/' }, "url: isn't a URL."],
    [{ name: 's', command: 'x', args: ['a', {}] }, 'args.1: '],
    [{ name: 's', command: 'x', args: 'a "b' }, 'args: missing a closing quote'],
    [{ name: 's', command: 'x', env: ['A=1'] }, 'env: '],
    [{ name: 's', command: 'x', env: { A: {} } }, 'env.A: '],
    [{ name: 's', command: 'x', timeout: 'long' }, 'timeout: '],
    [{ name: 's', command: 'x', timeout: -1 }, 'timeout: '],
    [{ name: 's', command: 'x', disabled: 'yes' }, 'disabled: '],
    [{ name: 's', command: 'x', headers: { a: 'b' } }, "headers: this field doesn't exist"],
    [{ name: 's', command: 'x', comand: 'y' }, "comand: this field doesn't exist"],
    [{ name: 's', type: 'stdio', url: 'https://x.example/' }, 'command: is missing'],
  ])('refuses %j', (value, words) => {
    expect(refusal(value)).toContain(words);
  });

  it('names the fields that a wrong one may have meant', () => {
    expect(() => read({ command: 'x', disableTools: [] })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('disabledTools') as string }),
    );
  });

  it('T46 is not polluted by names of the prototype', () => {
    const value: unknown = JSON.parse(
      '{"name": "s", "command": "x", "__proto__": {"disabled": true}, "env": {"__proto__": "1"}}',
    );
    try {
      expect(readServerInput(value)).not.toHaveProperty('disabled');
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_server' });
    }
    expect(({} as { disabled?: boolean }).disabled).toBeUndefined();
  });
});
