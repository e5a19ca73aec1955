import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { describeEachDatabase } from './databases.ts';
import { type RunningServer, startServer } from './fixtures/cerise-process.ts';

const script = join(import.meta.dirname, 'fakes/hostile-server.mjs');
const shown = { n: 1 };
const edited = { n: 2 };

/** A server whose tools ask first and write down each call they get. */
async function addCounter(server: RunningServer, journal: string): Promise<string> {
  const added = await server.json<{ id: string; launchHash: string }>('POST', '/api/servers', {
    type: 'stdio',
    name: 'counter',
    command: process.execPath,
    args: [script, JSON.stringify({ journal })],
  });
  const { id, launchHash } = added;
  await server.json('POST', `/api/servers/${id}/approve`, { launchHash });
  return id;
}

/** The arguments of the calls that the counter got. */
async function sentTo(journal: string): Promise<unknown[]> {
  if (!existsSync(journal)) return [];
  return (await readFile(journal, 'utf8'))
    .split('\n')
    .filter((line) => line.includes('tools/call'))
    .map((line) => (JSON.parse(line) as { params: { arguments: unknown } }).params.arguments);
}

const read = (server: RunningServer, id: string) =>
  server.json<ToolCallView>('GET', `/api/tool-calls/${id}`);

/** Proposes a call and gives its id. */
const ways: Record<string, (server: RunningServer, serverId: string) => Promise<string>> = {
  'of an answer': async (server) => {
    const topic = await server.json<{ id: string }>('POST', '/api/topics', { title: 'T' });
    const text = `/call mcp__counter__echo ${JSON.stringify(shown)}`;
    await server.json('POST', `/api/topics/${topic.id}/messages`, { text });
    let id: string | undefined;
    const look = async () => {
      const { messages } = await server.json<{
        messages: { blocks: { type: string; toolCallId?: string; approval?: object }[] }[];
      }>('GET', `/api/topics/${topic.id}`);
      id = messages.at(-1)?.blocks.find(({ approval }) => approval)?.toolCallId;
      return id;
    };
    await expect.poll(look, { interval: 10, timeout: 20_000 }).toBeTypeOf('string');
    return id ?? '';
  },
  'of nobody’s answer': async (server, serverId) => {
    const path = `/api/servers/${serverId}/tools/echo/call`;
    const { toolCallId } = await server.json<{ toolCallId: string }>('POST', path, {
      arguments: shown,
    });
    return toolCallId;
  },
};

describe('a call that was approved with other arguments before kill -9', () => {
  describeEachDatabase((_open, fresh) => {
    it.each(Object.entries(ways))('%s runs with those, once', async (_, propose) => {
      const { home, databaseUrl } = await fresh();
      const env = { CERISE_HOME: home, ...(databaseUrl && { CERISE_DATABASE_URL: databaseUrl }) };
      const journal = `${home}-calls.jsonl`;
      const fault = { CERISE_ALLOW_FAULTS: '1', CERISE_FAULT: 'approval-committed:1:kill' };
      const first = await startServer({ ...env, ...fault });
      const id = await propose(first, await addCounter(first, journal));
      const { argsHash } = await read(first, id);
      const decision = { decision: 'approve', argsHash, arguments: edited };
      const cut = await first
        .send('POST', `/api/tool-calls/${id}/decision`, decision)
        .catch(() => 'cut');
      expect(cut).toBe('cut');
      expect(await first.ended).toBe('SIGKILL');
      expect(await sentTo(journal)).toEqual([]);
      const second = await startServer(env);
      await expect
        .poll(async () => (await read(second, id)).state, { interval: 20, timeout: 30_000 })
        .toBe('succeeded');
      expect(await read(second, id)).toMatchObject({ arguments: edited });
      const again = await second.send('POST', `/api/tool-calls/${id}/decision`, decision);
      expect(again.status).toBe(409);
      expect(await sentTo(journal)).toEqual([edited]);
    });
  });
});
