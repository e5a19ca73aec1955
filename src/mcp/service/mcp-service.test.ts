import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { approved, callTool, hostile, testService } from '../../../test/fakes/mcp-servers.ts';
import type { McpService } from './mcp-service.ts';

const open: McpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

function start(options: Parameters<typeof testService>[0] = {}): McpService {
  const service = testService(options);
  open.push(service);
  return service;
}

async function serve(record = hostile()): Promise<{ service: McpService; id: string }> {
  const service = start();
  await service.setServer(record);
  return { service, id: record.id };
}

describe('connecting', () => {
  it('connects at the first use and shares one process between simultaneous callers', async () => {
    const states: string[] = [];
    const service = start({ onStatus: (_, { state }) => states.push(state) });
    const record = hostile();
    await service.setServer(record);
    expect(service.status(record.id).state).toBe('idle');
    const [one, two, result] = await Promise.all([
      service.initClient(record.id),
      service.initClient(record.id),
      callTool(service, record.id, 'echo', { a: 1 }),
    ]);
    expect(one).toBe(two);
    expect(result.content).toEqual([{ type: 'text', text: '{"a":1}' }]);
    expect(states).toEqual(['idle', 'connecting', 'connected']);
    expect(service.logs(record.id).filter((line) => line.includes('started process'))).toHaveLength(
      1,
    );
  });

  it.each([
    ['removed', 'server_not_found', (service: McpService, id: string) => service.removeServer(id)],
    ['ended with the host', 'shutting_down', (service: McpService) => service.close()],
  ] as const)('starts no server again that is %s while it restarts', async (_, code, end) => {
    let made = 0;
    const service = start({
      builtin: async () => {
        made += 1;
        return new McpServer({ name: 'counting', version: '1' });
      },
    });
    const record = approved({ type: 'inMemory', builtin: 'x' });
    const { id } = record;
    await service.setServer(record);
    await service.initClient(id);
    const restarting = service.restartServer(id).catch((error: unknown) => error);
    await end(service, id);
    expect(await restarting).toMatchObject({ code });
    expect(made).toBe(1);
  });

  it('never starts a command that was not approved', async () => {
    const marker = join(mkdtempSync(join(tmpdir(), 'cerise-')), 'started');
    const record = approved({ type: 'stdio', command: 'touch', args: [marker] });
    const { service, id } = await serve({ ...record, approvedHash: 'another' });
    expect(service.status(id).state).toBe('draft');
    await expect(service.initClient(id)).rejects.toMatchObject({ code: 'server_not_approved' });
    await expect(callTool(service, id, 'echo')).rejects.toMatchObject({
      code: 'server_not_approved',
    });
    await expect(service.listTools(id)).rejects.toMatchObject({ code: 'server_not_approved' });
    await expect(service.restartServer(id)).rejects.toMatchObject({ code: 'server_not_approved' });
    expect(await service.listAllActiveServerTools()).toEqual([]);
    expect(existsSync(marker)).toBe(false);
  });

  it('never reads a file of this machine for a remote server before that was approved', async () => {
    const auth = { grant: 'workload', clientId: 'us', assertionFile: '/etc/hostname' };
    const baseUrl = await closedAddress();
    const record = approved({ type: 'streamableHttp', baseUrl, auth });
    const { service, id } = await serve({ ...record, approvedHash: 'another' });
    expect(service.status(id).state).toBe('draft');
    await expect(service.initClient(id)).rejects.toMatchObject({ code: 'server_not_approved' });
    await service.setServer(record);
    expect(service.status(id).state).toBe('idle');
  });

  it('T77: never starts with what only an admin may set for somebody who is none any more', async () => {
    const baseUrl = await closedAddress();
    const auth = { grant: 'workload', clientId: 'us', assertionFile: '/etc/hostname' };
    for (const [field, config] of [
      ['auth.assertionFile', { type: 'streamableHttp', baseUrl, auth }],
      ['roots', { type: 'streamableHttp', baseUrl, roots: ['/etc'] }],
      ['command', { type: 'stdio', command: 'true' }],
    ] as const) {
      const record = approved(config);
      const { service, id } = await serve({ ...record, publicOnly: true });
      expect(service.status(id).state).toBe('draft');
      const refused = { code: 'admin_only', details: { field } };
      await expect(service.initClient(id)).rejects.toMatchObject(refused);
      await expect(service.restartServer(id)).rejects.toMatchObject(refused);
    }
  });

  it('becomes a draft again when the command changes, and ends the old process', async () => {
    const record = hostile();
    const { service, id } = await serve(record);
    await service.initClient(id);
    const pid = startedPid(service, id);
    const changed = hostile({ banner: 'other' }).config;
    await service.setServer({ ...record, config: changed });
    expect(service.status(id).state).toBe('draft');
    expect(isAlive(pid)).toBe(false);
  });

  it('keeps the connection when only a name or a limit changes', async () => {
    const record = hostile();
    const { service, id } = await serve(record);
    const connection = await service.initClient(id);
    await service.setServer({ ...record, config: { ...record.config, name: 'new', timeout: 5 } });
    expect(await service.initClient(id)).toBe(connection);
    expect(service.servers()[0]?.config.name).toBe('new');
  });

  it('refuses a disabled server and ends it when it is disabled while connected', async () => {
    const record = hostile();
    const { service, id } = await serve(record);
    await service.initClient(id);
    await service.setServer({ ...record, config: { ...record.config, disabled: true } });
    expect(service.status(id).state).toBe('disabled');
    await expect(service.initClient(id)).rejects.toMatchObject({ code: 'server_disabled' });
    await service.setServer(record);
    expect(service.status(id).state).toBe('idle');
  });

  it('says which command is missing and how to get it', async () => {
    const { service, id } = await serve(
      approved({ type: 'stdio', command: 'no-such-command-here', args: [] }),
    );
    await expect(service.initClient(id)).rejects.toMatchObject({
      code: 'command_not_found',
      hint: expect.stringContaining('Install'),
    });
    expect(service.status(id)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('no-such-command-here'),
    });
  });

  it('says that the working folder is missing', async () => {
    const { service, id } = await serve(hostile({}, { cwd: '/no/such/folder' }));
    await expect(service.initClient(id)).rejects.toMatchObject({ code: 'invalid_server' });
  });

  it('gives the last words of a server that exits early as the reason', async () => {
    const { service, id } = await serve(hostile({ exitAtStart: 1, stderr: 'API key is missing' }));
    await expect(service.initClient(id)).rejects.toMatchObject({ code: 'connection_lost' });
    expect(service.status(id).reason).toContain('API key is missing');
    expect(await service.checkConnectivity(id)).toBe(false);
  });

  it('keeps the reason of a server that refuses the handshake', async () => {
    const { service, id } = await serve(hostile({ refuseInitialize: true }));
    await expect(service.initClient(id)).rejects.toMatchObject({
      code: 'protocol_error',
      message: expect.stringContaining('Method not found'),
    });
  });

  it('can be stopped while it is still connecting', async () => {
    const { service, id } = await serve(hostile({ silentOn: 'initialize', stderr: 'up' }));
    const pending = service.initClient(id);
    const refused = expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    await service.stopServer(id);
    await refused;
    expect(service.status(id).state).toBe('idle');
  });

  it('restarts with a new process', async () => {
    const { service, id } = await serve();
    await service.initClient(id);
    const pid = startedPid(service, id);
    await service.restartServer(id);
    expect(service.status(id).state).toBe('connected');
    expect(startedPid(service, id)).not.toBe(pid);
    expect(await service.checkConnectivity(id)).toBe(true);
  });

  it('connects to a built-in server in memory', async () => {
    const service = start({ builtin: () => Promise.resolve(greeter()) });
    const record = approved({ type: 'inMemory', builtin: 'greeter' });
    await service.setServer(record);
    expect((await service.listTools(record.id)).map(({ name }) => name)).toEqual(['greet']);
    const result = await callTool(service, record.id, 'greet');
    expect(result.content).toEqual([{ type: 'text', text: 'hello' }]);
  });

  it('says that a server cannot be reached', async () => {
    const baseUrl = await closedAddress();
    for (const type of ['streamableHttp', 'sse']) {
      const { service, id } = await serve(approved({ type, baseUrl }));
      await expect(service.initClient(id)).rejects.toMatchObject({ code: 'connection_refused' });
      expect(service.status(id)).toMatchObject({
        state: 'reconnecting',
        retryAt: expect.any(Number),
      });
    }
  });

  it('refuses everything after it was closed', async () => {
    const { service, id } = await serve();
    await service.close();
    await expect(service.initClient(id)).rejects.toMatchObject({ code: 'shutting_down' });
  });
});

describe('processes', () => {
  it('sees only the allow-listed environment and its own', async () => {
    process.env.CERISE_TOKEN = 'host secret';
    process.env.OPENAI_API_KEY = 'host secret';
    const { service, id } = await serve(hostile({}, { env: { OWN: 'own-value' } }));
    const result = await callTool(service, id, 'environment');
    delete process.env.CERISE_TOKEN;
    delete process.env.OPENAI_API_KEY;
    const seen = JSON.stringify(result.content);
    expect(seen).not.toContain('host secret');
    expect(seen).toContain('own-value');
    expect(seen).toContain('PATH');
  });

  it('ends a grandchild that ignores SIGTERM and end of input', async () => {
    const { service, id } = await serve(hostile({ grandchild: true, stubborn: true }));
    await service.initClient(id);
    const grandchild = Number(await logged(service, id, /grandchild (\d+)/));
    const started = performance.now();
    await service.stopServer(id);
    expect(performance.now() - started).toBeLessThan(6000);
    expect(isAlive(startedPid(service, id))).toBe(false);
    expect(isAlive(grandchild)).toBe(false);
  });

  it('ends what a server that died on its own has left behind', async () => {
    const { service, id } = await serve(hostile({ grandchild: true }));
    await service.initClient(id);
    const grandchild = Number(await logged(service, id, /grandchild (\d+)/));
    await expect(callTool(service, id, 'die')).rejects.toMatchObject({ code: 'outcome_unknown' });
    await service.close();
    expect(isAlive(grandchild)).toBe(false);
  });

  it('keeps secrets of the config out of the logs', async () => {
    const env = { TOKEN: 'tok-123456789' };
    const record = hostile({ exitAtStart: 1, stderr: 'bad token tok-123456789' }, { env });
    const { service, id } = await serve(record);
    await expect(service.initClient(id)).rejects.toThrow();
    expect(service.logs(id).join('\n')).not.toContain('tok-123456789');
    expect(service.status(id).reason).not.toContain('tok-123456789');
  });
});

function greeter(): McpServer {
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
  return server;
}

/** An address nobody listens on. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}/mcp`;
}

function startedPid(service: McpService, id: string): number {
  const line = service.logs(id).findLast((text) => text.includes('started process'));
  return Number(line?.match(/started process (\d+)/)?.[1]);
}

/** Waits for a line of the log; each round trip lets the child's stderr arrive. */
async function logged(service: McpService, id: string, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(service.logs(id).join('\n'));
    if (found?.[1]) return found[1];
    await callTool(service, id, 'echo');
  }
}

/** A zombie that nobody has reaped is not alive. */
function isAlive(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) Z /.test(readFileSync(file, 'utf8'));
}
