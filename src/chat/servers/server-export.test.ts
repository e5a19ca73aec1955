import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { readServerInput } from '#shared/api/server-input.ts';
import { readImportedServer } from '#shared/import/imported-server.ts';
import { fillIn, findQuestions } from '#shared/import/placeholders.ts';
import { readImport } from '#shared/import/read-import.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { exportServers } from './server-export.ts';
import { toServerView } from './server-view.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9 "'\\文-]{0,12}[a-z0-9]$/);
const values = fc.dictionary(fc.stringMatching(/^[A-W][A-W_]{1,8}[A-W]$/), word, { maxKeys: 3 });
const local = fc.record({
  type: fc.constant('stdio' as const),
  name: fc.stringMatching(/^[a-z文件][a-z文件 -]{0,10}[a-z]$/),
  command: fc.constantFrom('npx', 'uvx', '/opt/my tools/run', 'C:\\tools\\run.exe'),
  args: fc.array(word, { maxLength: 4 }),
  env: values,
  cwd: fc.constantFrom('/srv/data', 'C:\\data'),
});
const remote = fc.record({
  type: fc.constantFrom('streamableHttp' as const, 'sse' as const),
  name: fc.constantFrom('far', '远程'),
  baseUrl: fc.constantFrom(
    'https://mcp.test/mcp',
    'https://mcp.test/sse',
    'https://mcp.test/a?b=c',
  ),
  headers: values,
});

function viewOf(config: ServerConfig): ServerView {
  const record = { id: 's', owner: 'ann', config, createdAt: 1, updatedAt: 1 };
  return toServerView(record, { state: 'idle', since: 1 }, 'hash', false);
}

/** No headers are the same as none. */
function plain(config: ServerConfig): object {
  const { headers = {}, ...rest } = { headers: undefined, ...config };
  return Object.keys(headers).length > 0 ? { ...rest, headers } : rest;
}

it('asks for the secrets of each server apart, whatever they are called', () => {
  const servers = ['文件', '远程', 'a b', 'a-b'].map((name) =>
    viewOf(readServerInput({ name, command: 'npx', env: { KEY: 'x' } })),
  );
  const { inputs } = exportServers(servers, 'vscode') as { inputs: { id: string }[] };
  expect(new Set(inputs.map(({ id }) => id)).size).toBe(4);
  expect(inputs[0]?.id).toBe('文件-KEY');
});

it.each(['cerise', 'claude', 'vscode'] as const)(
  'what leaves as %s comes in again as the same server',
  (format) => {
    fc.assert(
      fc.property(fc.oneof(local, remote), (fields) => {
        const config = readServerInput(fields);
        const secrets = { ...('env' in fields ? fields.env : fields.headers) };
        const { entries, inputs } = readImport(
          JSON.stringify(exportServers([viewOf(config)], format)),
        );
        const back = entries.map((entry) => {
          const asked = findQuestions(entry.fields, inputs);
          const answers = Object.entries(secrets).flatMap(([name, value]) =>
            asked
              .filter(({ id }) => id === name || id.endsWith(`-${name}`))
              .map(({ id }) => [id, value] as const),
          );
          expect(answers).toHaveLength(Object.keys(secrets).length);
          const { inputs: _, ...rest } = fillIn(entry.fields, new Map(answers), asked);
          return readImportedServer({ ...rest, name: entry.name }).config;
        });
        const off = config.type === 'stdio' ? {} : { disabled: true };
        expect(back.map(plain)).toEqual([plain({ ...config, ...off })]);
      }),
      { numRuns: 100 },
    );
  },
);
