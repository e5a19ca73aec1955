// Starts processes: the server of a bundle.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { helloBundle, settings } from '../../../test/fixtures/bundles.ts';
import { run, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

async function start(more: Record<string, string> = {}) {
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0', MY_KEY: 'from-my-variable', ...more };
  await startServer(env);
  const file = async (name: string, bytes: Buffer) => {
    await writeFile(join(home, name), bytes);
    return join(home, name);
  };
  return { home, file, mcp: (...args: string[]) => run(['mcp', ...args], env) };
}

describe('cerise mcp install', { timeout: 120_000 }, () => {
  it('shows what a file would run, installs it as a draft, and updates it', async () => {
    const { file, mcp } = await start();
    const path = await file('hello.mcpb', helloBundle('node', settings));
    const missing = await mcp('install', path);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('api_key');
    const set = [
      '--set',
      'api_key=k',
      '--set',
      'folders=/a',
      '--set',
      'folders=/b',
      '--set',
      'level=4',
    ];
    const { code, stdout } = await mcp('install', path, ...set);
    expect(code).toBe(0);
    for (const part of ['Test Author', 'unverified', 'sha-256', '${__dirname}', 'mcp approve'])
      expect(stdout).toContain(part);
    expect((await mcp('approve', 'Hello node', '--yes')).stderr).toContain('--level=4');
    const called = await mcp('call', 'Hello node', 'hello', '--yes');
    expect(called.stdout).toMatch(/--level=4.*\/a.*\/b/s);
    const again = await mcp('install', path, '--set', 'api_key=k');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('--update');
    const next = await file('next.mcpb', helloBundle('node', { ...settings, version: '2.0.0' }));
    const updated = await mcp('install', next, '--update', 'Hello node');
    expect(updated.code, updated.stderr).toBe(0);
    expect(updated.stdout).toContain('"1.0.0" → "2.0.0"');
    expect((await mcp('list')).stdout).toContain('Hello node');
    expect((await mcp('remove', 'Hello node')).code).toBe(0);
  });

  it('takes a URL, and refuses another file than the expected one', async () => {
    const bytes = helloBundle();
    const site = createServer((_, response) => response.end(bytes)).listen(0, '127.0.0.1');
    onTestFinished(() => void site.close());
    await new Promise((resolve) => site.once('listening', resolve));
    const at = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    const { file, mcp } = await start({ CERISE_FETCH_ALLOW: at });
    const wrong = ['--sha256', 'a'.repeat(64)];
    for (const source of [`http://${at}/hello.mcpb`, await file('hello.mcpb', bytes)])
      expect((await mcp('install', source, ...wrong)).code).toBe(1);
    const { code, stderr } = await mcp('install', `http://${at}/hello.mcpb`);
    expect(code, stderr).toBe(0);
  });

  it('refuses what is no bundle, no file and no setting', async () => {
    const { file, mcp } = await start();
    const path = await file('x.mcpb', Buffer.from('no bundle'));
    for (const args of [[path], [`${path}.gone`], [path, '--set', 'x']])
      expect((await mcp('install', ...args)).code).not.toBe(0);
    const hello = await file('hello.mcpb', helloBundle('node', settings));
    const unknown = await mcp('install', hello, '--set', 'other=1');
    expect(unknown.stderr).toContain('api_key, folders, level, prefix');
    expect((await mcp('install', hello, '--set', 'api_key=k', '--update', 'x')).code).toBe(1);
  });
});
