// Starts processes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { approved, callTool, testService } from './fakes/mcp-servers.ts';
import { realServer } from './real-servers.ts';

/** npm keeps what it has downloaded; what is cold is the installation. */
const cache = resolve(import.meta.dirname, '../node_modules/.cache/cerise-test/npm');
mkdirSync(cache, { recursive: true });
const packagesFolder = mkdtempSync(join(tmpdir(), 'cerise-'));
afterAll(() => rmSync(packagesFolder, { recursive: true, force: true }));

const official = '@modelcontextprotocol/server';
// Where this one cannot be had, neither can the others.
const hasNpm = (await realServer(`${official}-memory`, '2026.8.31')) !== undefined;

describe.skipIf(!hasNpm)('npx of a real server, installed for the first time', () => {
  it.each([
    [`${official}-memory@2026.8.31`, {}, 'read_graph', 9],
    [`${official}-brave-search@0.6.2`, { BRAVE_API_KEY: 'made-up' }, undefined, 2],
    [`${official}-slack@2025.4.25`, { SLACK_BOT_TOKEN: 'x', SLACK_TEAM_ID: 'y' }, undefined, 8],
  ])('%s connects and has its tools', async (spec, env, tool, count) => {
    const service = testService({ packagesFolder });
    const all = { npm_config_cache: cache, MEMORY_FILE_PATH: join(packagesFolder, 'm'), ...env };
    const config = { type: 'stdio', command: 'npx', args: ['-y', spec] };
    const npmOnly = { npm_config_cache: cache };
    try {
      const record = approved({ ...config, env: all });
      await service.setServer(record);
      expect(await service.listTools(record.id)).toHaveLength(count);
      if (tool)
        expect(await callTool(service, record.id, tool)).not.toHaveProperty('isError', true);
      const [name] = Object.keys(env);
      if (name === undefined) return;
      const keyless = approved({ ...config, env: npmOnly });
      await service.setServer(keyless);
      await expect(service.initClient(keyless.id)).rejects.toThrow(name);
      expect(service.status(keyless.id)).toMatchObject({
        state: 'failed',
        fix: { kind: 'variable', name },
      });
    } finally {
      await service.close();
    }
  });
});
