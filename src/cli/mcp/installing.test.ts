// Starts processes.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { startRegistry, tinyPackage } from '../../../test/fakes/npm-registry.ts';
import { run, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

it('says in list and doctor that a server is being installed, and waits for it', async () => {
  const registry = await startRegistry();
  onTestFinished(() => registry.close());
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home, PATH: process.env['PATH'] ?? '' };
  const server = await startServer(env);
  const { id, launchHash } = await server.json<ServerView>('POST', '/api/servers', {
    name: 'tiny',
    command: 'npx',
    args: ['-y', tinyPackage],
    env: { npm_config_cache: mkdtempSync(join(tmpdir(), 'cerise-')) },
    registryUrl: registry.url,
  });
  await server.json('POST', `/api/servers/${id}/approve`, { launchHash });
  const release = registry.hold();
  const doctor = run(['mcp', 'doctor', 'tiny'], env);
  await registry.held();
  const list = async () => (await run(['mcp', 'list'], env)).stdout;
  await expect.poll(list).toMatch(/tiny +installing .*\d+ s: tiny-mcp-server/);
  const view = await server.json<ServerView>('GET', `/api/servers/${id}`);
  expect(view).toMatchObject({ state: 'installing', output: expect.any(String) });
  // The host answers whoever asked before the installation is over.
  const connecting = await server.json<ServerView>('POST', `/api/servers/${id}/connect`);
  expect(connecting.state).toBe('installing');
  release();
  const { code, stdout, stderr } = await doctor;
  expect(stderr).toContain('tiny: installing');
  expect(stdout).toMatch(/tiny {2}connected/);
  expect(code).toBe(0);
});
