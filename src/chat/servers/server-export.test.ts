import fc from 'fast-check';
import { expect, it } from 'vitest';
import printed from '../../../test/fixtures/printed-configs.json' with { type: 'json' };
import readmes from '../../../test/fixtures/readme-configs.json' with { type: 'json' };
import type { ServerView } from '#shared/api/api.ts';
import { readServerInput } from '#shared/api/server-input.ts';
import { mapSecrets } from '#shared/api/server-secrets.ts';
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
  expect(inputs[0]?.id).toBe('文件.KEY');
});

/** What an exported server becomes where it comes in again and everything asked for is answered. */
function comeBack(config: ServerConfig, format: 'cerise' | 'claude' | 'vscode'): ServerConfig[] {
  const { entries, inputs } = readImport(JSON.stringify(exportServers([viewOf(config)], format)));
  const secrets = secretsOf(config);
  return entries.map((entry) => {
    const asked = findQuestions(entry.fields, inputs);
    const answers = [...secrets].flatMap(([name, value]) =>
      asked
        .filter(({ id }) => id === name || id.endsWith(`.${name}`))
        .map(({ id }) => [id, value] as const),
    );
    // A second question for a name that is both a variable and a secret has a number.
    for (const { id } of asked) if (/_\d$/.test(id)) answers.push([id, 'answer']);
    expect(asked.every(({ id }) => answers.some(([answered]) => answered === id))).toBe(true);
    const { inputs: _, ...rest } = fillIn(entry.fields, new Map(answers), asked);
    return readImportedServer({ ...rest, name: entry.name }).config;
  });
}

function secretsOf(config: ServerConfig): Map<string, string> {
  const found = new Map<string, string>();
  mapSecrets(config, (value, place, name) => {
    if (place !== 'address') found.set(name, value);
    return value;
  });
  return found;
}

it('asks for a variable and a secret of the same name apart', () => {
  const env = { KEY: 'x' };
  const args = ['--key=${secret:KEY}'];
  const config = readServerInput({ name: 'a', command: 'x', args, env, secrets: { KEY: 'y' } });
  for (const format of formats) {
    const { entries, inputs } = readImport(JSON.stringify(exportServers([viewOf(config)], format)));
    expect(findQuestions(entries[0]?.fields ?? {}, inputs)).toHaveLength(2);
  }
});

const formats = ['cerise', 'claude', 'vscode'] as const;

it.each(formats)('what leaves as %s comes in again as the same server', (format) => {
  fc.assert(
    fc.property(fc.oneof(local, remote), (fields) => {
      const config = readServerInput(fields);
      const off = config.type === 'stdio' ? {} : { disabled: true };
      expect(comeBack(config, format).map(plain)).toEqual([plain({ ...config, ...off })]);
    }),
    { numRuns: 100 },
  );
});

/** Everything that a host elsewhere has no name for stays out of its settings. */
function launchOnly(config: ServerConfig): object {
  const { name, type, ...rest } = config;
  const {
    command,
    args,
    env,
    cwd,
    baseUrl,
    headers = {},
    secrets = {},
  } = {
    command: null,
    args: null,
    env: null,
    cwd: null,
    baseUrl: null,
    ...rest,
  } as Record<string, unknown>;
  return { name, type, command, args, env, cwd, baseUrl, headers, secrets };
}

it.each(formats)('what documents print comes in, leaves as %s and comes in the same', (format) => {
  for (const { text } of [...printed, ...readmes]) {
    const { entries, inputs } = readImport(text);
    for (const { name, fields } of entries) {
      const asked = findQuestions(fields, inputs);
      const answers = new Map(asked.map(({ id }) => [id, 'answer']));
      const { inputs: _, ...rest } = fillIn(fields, answers, asked);
      const { config: read } = readImportedServer({ ...rest, name });
      // Which value goes where is tried above.
      const config = mapSecrets(read, (value, place) => (place === 'address' ? value : 'answer'));
      const seen = format === 'cerise' ? plain : launchOnly;
      expect(comeBack(config, format).map(seen)).toEqual([seen(config)]);
    }
  }
});

it('keeps every field between two hosts but those that give rights', () => {
  const config = readServerInput({
    name: 'all',
    type: 'stdio',
    command: 'npx',
    args: ['-y', 'x', '--key=${secret:KEY}'],
    env: { MODE: 'fast' },
    secrets: { KEY: 'sesame' },
    cwd: '/srv',
    registryUrl: 'https://npm.example/',
    timeout: 90,
    startTimeout: 45,
    longRunning: true,
    totalTimeout: 900,
    description: 'All of it',
    tags: ['a', 'b'],
    logo: 'data:image/png;base64,AA==',
    logLevel: 'warning',
    disabledTools: ['rm'],
    autoApprove: ['read'],
    roots: ['/srv'],
  });
  const { autoApprove: _, roots: __, ...kept } = config;
  expect(comeBack(config, 'cerise')).toEqual([kept]);
});
