// Starts processes.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CreatedKeyView } from '#shared/api/people-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { type RunningServer, startServer } from './fixtures/cerise-process.ts';
import { freePort } from './fixtures/free-port.ts';
import { eras } from './fixtures/mcp-programs.ts';
import { processToken } from './fixtures/running-command.ts';
import { cachedPackage } from './npm-cache.ts';
import { realServer } from './real-servers.ts';

const program = join(import.meta.dirname, '../bin/built.mjs');
const appendServer = join(import.meta.dirname, 'fakes/append-server.mjs');
const time = { name: 'get_current_time', arguments: { timezone: 'Asia/Tokyo' } };
const info = { name: 'a program', version: '1.0.0' };
const run = promisify(execFile);

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'cerise-gateway-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

async function startHost(home = temporaryHome()): Promise<RunningServer> {
  return startServer({ CERISE_HOME: home });
}

const mode = (era: (typeof eras)[number]) =>
  ({ mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' }) as const;

describe.each(eras)('cerise mcp serve, to a program of the %s revision', (era) => {
  async function lend(env: Record<string, string>): Promise<Client> {
    const client = new Client(info, { versionNegotiation: mode(era) });
    const args = [program, 'mcp', 'serve', 'time'];
    const own = { PATH: process.env.PATH ?? '', ...env };
    const transport = new StdioClientTransport({ command: process.execPath, args, env: own });
    onTestFinished(() => client.close());
    await client.connect(transport);
    return client;
  }

  it('lends a host that it starts', async () => {
    const client = await lend({ CERISE_HOME: temporaryHome(), CERISE_PORT: '0' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('get_current_time');
    expect(JSON.stringify(await client.callTool(time))).toContain('Asia/Tokyo');
  });

  it('lends a running host, also after that was started again', async () => {
    const home = temporaryHome();
    // At the same address nobody knows the token of before; at another one, nobody answers at the first.
    const env = {
      CERISE_HOME: home,
      CERISE_PORT: era === 'legacy' ? String(await freePort()) : '0',
    };
    const first = await startServer(env);
    const client = await lend({ CERISE_HOME: home });
    expect(JSON.stringify(await client.callTool(time))).toContain('Asia/Tokyo');
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    first.child.kill('SIGKILL');
    await first.ended;
    await startServer(env);
    if (era === 'legacy') await heard;
    const again = () => client.callTool(time).catch((error: Error) => error.message);
    await expect.poll(async () => JSON.stringify(await again())).toContain('Asia/Tokyo');
  });
});

describe('programs that people have', { timeout: 180_000 }, () => {
  it('SDK 1.x uses a host', async ({ skip }) => {
    const folder = await cachedPackage('@modelcontextprotocol/sdk', '1.32.2');
    if (folder === undefined) return skip('It could not be installed.');
    const { url } = await startHost();
    const at = (path: string) => pathToFileURL(join(folder, 'dist/esm/client', path)).href;
    const { Client: OldClient } = (await import(at('index.js'))) as { Client: typeof Client };
    const { StreamableHTTPClientTransport: OldTransport } = (await import(
      at('streamableHttp.js')
    )) as { StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport };
    const client = new OldClient(info);
    const headers = { authorization: `Bearer ${processToken}` };
    await client.connect(
      new OldTransport(new URL(`${url}/mcp/time`), { requestInit: { headers } }),
    );
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain(time.name);
    expect(JSON.stringify(await client.callTool(time))).toContain('Asia/Tokyo');
  });

  it('the inspector lists and calls tools from the command line', async ({ skip }) => {
    const script = await realServer('@modelcontextprotocol/inspector', '2.12.0');
    if (script === undefined) return skip('It could not be installed.');
    const { url } = await startHost();
    const inspect = async (...args: string[]) => {
      const header = `Authorization: Bearer ${processToken}`;
      const all = ['--cli', `${url}/mcp/time`, '--transport', 'http', '--header', header, ...args];
      const { stdout } = await run(process.execPath, [script, ...all]);
      return stdout;
    };
    expect(await inspect('--method', 'tools/list')).toContain(time.name);
    const call = ['--method', 'tools/call', '--tool-name', time.name];
    expect(await inspect(...call, '--tool-arg', 'timezone=Asia/Tokyo')).toContain('Asia/Tokyo');
  });

  it('mcp-remote brings a host to programs that only start servers', async ({ skip }) => {
    const script = await realServer('mcp-remote', '0.15.1');
    if (script === undefined) return skip('It could not be installed.');
    const { url } = await startHost();
    const client = new Client(info, { versionNegotiation: { mode: 'legacy' } });
    const header = `Authorization:Bearer ${processToken}`;
    const args = [script, `${url}/mcp/time`, '--allow-http', '--header', header];
    const env = { PATH: process.env.PATH ?? '', MCP_REMOTE_CONFIG_DIR: temporaryHome() };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    onTestFinished(() => client.close());
    expect(JSON.stringify(await client.callTool(time))).toContain('Asia/Tokyo');
  });
});

describe.each(eras)('a host that is killed during a call of the %s revision', (era) => {
  it('has made the call once, and says what is not known of it', async () => {
    const home = temporaryHome();
    const notes = join(temporaryHome(), 'notes.txt');
    const first = await startHost(home);
    const command = { command: process.execPath, args: [appendServer, notes, '60000'] };
    const config = { type: 'stdio', name: 'notes', ...command, autoApprove: ['*'] };
    const { id, launchHash } = await first.json<{ id: string; launchHash: string }>(
      'POST',
      '/api/servers',
      config,
    );
    await first.json('POST', `/api/servers/${id}/approve`, { launchHash });
    const key = { name: 'a program', scopes: ['chat'], trusted: true };
    const made = await first.json<CreatedKeyView>('POST', '/api/keys', key);
    const connect = async (url: string) => {
      const client = new Client(info, { versionNegotiation: mode(era) });
      const headers = { authorization: `Bearer ${made.key}` };
      const address = new URL(`${url}/mcp/notes`);
      await client.connect(
        new StreamableHTTPClientTransport(address, { requestInit: { headers } }),
      );
      onTestFinished(() => client.close());
      return client;
    };
    const client = await connect(first.url);
    const told = expect(
      client.callTool({ name: 'append', arguments: { key: 'once' } }),
    ).rejects.toThrow();
    await vi.waitFor(() => expect(readFileSync(notes, 'utf8')).toBe('once\n'), { timeout: 20_000 });
    first.child.kill('SIGKILL');
    await told;
    const second = await startHost(home);
    const { calls } = await second.json<{ calls: ToolCallView[] }>('GET', '/api/tool-calls');
    expect(calls).toMatchObject([{ toolName: 'append', state: 'outcome_unknown', reach: 'left' }]);
    await connect(second.url);
    expect(readFileSync(notes, 'utf8')).toBe('once\n');
  });
});
