import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { definitionHash } from '#mcp/calls/definition-hash.ts';
import { approved, callTool, testService } from './fakes/mcp-servers.ts';

const script = join(import.meta.dirname, 'fakes/listing-server.mjs');
const service = testService();
afterAll(() => service.close());

async function start(kind: string): Promise<string> {
  const config = { name: kind, type: 'stdio', command: process.execPath, args: [script, kind] };
  const server = approved(config);
  await service.setServer(server);
  return server.id;
}

async function namesOf(id: string): Promise<string[]> {
  return (await service.listTools(id)).map(({ name }) => name);
}

async function textOf(id: string, name: string, args: { changes: number }): Promise<string> {
  const [part] = (await callTool(service, id, name, args)).content;
  return part?.type === 'text' ? part.text : '';
}

describe('lists of tools', () => {
  it('T49 of a hundred thousand end at the limit', async () => {
    const id = await start('many');
    expect(await namesOf(id)).toHaveLength(500);
    expect(service.logs(id).join('\n')).toContain('Only the first 500 tools are used.');
  });

  it('T49 of rubbish end too, and do not fill the log', async () => {
    const id = await start('rubbish');
    expect(await namesOf(id)).toEqual([]);
    const notes = service.logs(id).filter((line) => line.includes('without a usable name'));
    expect(notes.length).toBeLessThanOrEqual(20);
  });

  it('T49 that never end are read for fifty pages', async () => {
    const id = await start('endless-pages');
    expect(await namesOf(id)).toHaveLength(50);
    expect(service.logs(id).join('\n')).toContain('does not end; 50 pages were read');
  });

  it('T49 that repeat a cursor end there, and an empty cursor is one', async () => {
    expect(await namesOf(await start('repeating'))).toEqual(['only']);
    expect(await namesOf(await start('empty-cursor'))).toEqual(['first', 'after-""']);
  });

  it('T49 that change a thousand times a second are asked for a few times only', async () => {
    const id = await start('repeating');
    await namesOf(id);
    const ended = new AbortController();
    const started = performance.now();
    const flood = textOf(id, 'only', { changes: 500 }).finally(() => ended.abort());
    while (!ended.signal.aborted) {
      await namesOf(id);
      await setImmediate();
    }
    const seconds = Math.ceil((performance.now() - started) / 1000);
    // Two pages a list, six lists a second.
    expect(Number(await flood)).toBeLessThanOrEqual(2 * 6 * (seconds + 1));
  });

  it('T30 that change show which definitions are no longer the same', async () => {
    const id = await start('changing');
    const before = await service.listTools(id);
    await textOf(id, 'steady', { changes: 1 });
    const after = await service.listTools(id);
    const hashes = new Map(before.map((tool) => [tool.name, definitionHash(tool)]));
    const changed = after.filter((tool) => hashes.get(tool.name) !== definitionHash(tool));
    expect(changed.map(({ name }) => name)).toEqual(['shifty']);
  });
});
