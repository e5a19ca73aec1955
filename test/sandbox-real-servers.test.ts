import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Sandbox } from '#mcp/process/sandbox.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { canConfine } from './bubblewrap.ts';
import { approved, callTool, testService } from './fakes/mcp-servers.ts';
import { realServer } from './real-servers.ts';

// Starts processes: real servers, each in the narrowest sandbox that it works in.
const root = mkdtempSync(join(tmpdir(), 'cerise-narrow-'));
const dataFolder = join(root, 'data');
const notes = join(root, 'notes');
for (const folder of [dataFolder, notes]) mkdirSync(folder);
writeFileSync(join(notes, 'note.txt'), 'a note');
writeFileSync(join(dataFolder, 'secret.key'), 'secret');
const sandbox = new Sandbox({ dataFolder });
const service = testService({ sandbox });
afterAll(async () => {
  await service.close();
  rmSync(root, { recursive: true, force: true });
});

interface Subject {
  name: string;
  /** What it may use besides its own folder and its package. */
  folders?: { path: string; write?: boolean }[];
  args?: string[];
  env?: (own: string) => Record<string, string>;
  call: [tool: string, args: JsonObject, answer: string];
}

const subjects: Subject[] = [
  {
    name: 'filesystem',
    folders: [{ path: notes, write: true }],
    args: [notes],
    call: ['write_file', { path: join(notes, 'new.txt'), content: 'new' }, 'Successfully wrote'],
  },
  {
    name: 'memory',
    env: (own) => ({ MEMORY_FILE_PATH: join(own, 'memory.jsonl') }),
    call: [
      'create_entities',
      { entities: [{ name: 'Ada', entityType: 'person', observations: ['born 1815'] }] },
      'Ada',
    ],
  },
  { name: 'everything', call: ['echo', { message: 'hi' }, 'Echo: hi'] },
  {
    name: 'sequential-thinking',
    call: [
      'sequentialthinking',
      { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      '"thoughtNumber": 1',
    ],
  },
];

for (const { name, folders = [], args = [], env, call } of subjects) {
  const script = await realServer(`@modelcontextprotocol/server-${name}`, '2026.8.31');
  describe.skipIf(!script || !canConfine())(`server-${name} in its narrowest setting`, () => {
    it('connects and works, with no network and nothing but its folders', async () => {
      const id = `narrow-${name}`;
      const own = sandbox.folderOf(id);
      const packages = (script ?? '').replace(/(\/node_modules)\/@modelcontextprotocol\/.*$/, '$1');
      const record = approved(
        {
          type: 'stdio',
          command: 'node',
          args: [script ?? '', ...args],
          env: env?.(own) ?? {},
          access: { files: { folders: [{ path: packages }, ...folders] }, network: false },
        },
        id,
      );
      await service.setServer(record);
      const [tool, input, answer] = call;
      const result = await callTool(service, id, tool, input);
      expect(result.isError ?? false).toBe(false);
      expect(JSON.stringify(result)).toContain(JSON.stringify(answer).slice(1, -1));
      if (name === 'memory')
        expect(readFileSync(join(own, 'memory.jsonl'), 'utf8')).toContain('Ada');
      const { processes } = await service.diagnose(id);
      expect(processes.map(({ command }) => command)).toContain('bwrap');
      await service.removeServer(id);
    });
  });
}
