import { describe, expect, it } from 'vitest';
import { fillIn, findQuestions } from './placeholders.ts';
import { readImport } from './read-import.ts';

const server = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'io.github.someone/weather',
  title: 'Weather',
  description: 'Forecasts.',
  version: '1.2.0',
};

function read(rest: object) {
  const { entries, inputs } = readImport(JSON.stringify({ ...server, ...rest }));
  return entries.map((entry) => ({ ...entry, questions: findQuestions(entry.fields, inputs) }));
}

/** What would run with these answers, by the end of the ids of the questions. */
function filled(rest: object, answers: Record<string, string>) {
  return read(rest).map(({ fields, questions }) => {
    const given = questions.flatMap(({ id }): [string, string][] => {
      const key = Object.keys(answers).find((end) => id.endsWith(end));
      return key === undefined ? [] : [[id, answers[key] ?? '']];
    });
    return fillIn(fields, new Map(given), questions);
  });
}

describe('an entry of the MCP registry', () => {
  it('runs an npm package, pinned to its version, with its arguments in order', () => {
    const rest = {
      packages: [
        {
          registryType: 'npm',
          registryBaseUrl: 'https://registry.npmjs.org',
          identifier: '@someone/weather',
          version: '1.2.0',
          transport: { type: 'stdio' },
          runtimeArguments: [{ type: 'named', name: '--quiet' }],
          packageArguments: [
            { type: 'positional', value: 'serve' },
            { type: 'named', name: '--region', default: 'eu', choices: ['eu', 'us'] },
            { type: 'named', name: '--key', isSecret: true, isRequired: true },
            { type: 'positional', valueHint: 'folder', description: 'Where to write' },
          ],
          environmentVariables: [
            { name: 'API_KEY', isSecret: true, isRequired: true, description: 'Yours' },
            { name: 'LEVEL', default: 'info' },
            { name: 'FIXED', value: 'a-{zone}', variables: { zone: { isRequired: true } } },
          ],
        },
      ],
    };
    const [entry] = read(rest);
    expect(entry).toMatchObject({ place: 'packages[0]', name: 'Weather' });
    expect(
      entry?.questions.map(({ label, secret, optional }) => [label, secret, optional]),
    ).toEqual([
      ['--region', false, true],
      ['--key', true, undefined],
      ['Where to write', false, true],
      ['API_KEY: Yours', true, undefined],
      ['LEVEL', false, true],
      ['zone', false, undefined],
    ]);
    expect(filled(rest, { '--region': 'us', '--key': 'k', API_KEY: 'a', zone: 'z' })).toEqual([
      {
        command: 'npx',
        args: [
          '-y',
          '--quiet',
          '@someone/weather@1.2.0',
          'serve',
          '--region=us',
          '--key=${secret:key}',
        ],
        env: { API_KEY: 'a', FIXED: 'a-z' },
        description: 'Forecasts.',
        secrets: { key: 'k' },
      },
    ]);
  });

  it.each([
    ['pypi', 'weather', 'uvx', ['weather==1.2.0']],
    [
      'oci',
      'ghcr.io/someone/weather',
      'docker',
      ['run', '-i', '--rm', 'ghcr.io/someone/weather:1.2.0'],
    ],
    ['oci', 'a/b:9', 'docker', ['run', '-i', '--rm', 'a/b:9']],
    ['nuget', 'Weather', 'dnx', ['Weather@1.2.0', '--yes']],
  ])('runs a package of %s: %s', (registryType, identifier, command, args) => {
    const packages = [{ registryType, identifier, version: '1.2.0', transport: { type: 'stdio' } }];
    expect(read({ packages })[0]?.fields).toMatchObject({ command, args });
  });

  it('takes a mirror of its own registry along, and gives a container its variables', () => {
    const packages = [
      { registryType: 'npm', registryBaseUrl: 'https://npm.corp', identifier: 'a', version: '1' },
      { registryType: 'oci', identifier: 'a', version: '1', environmentVariables: [{ name: 'K' }] },
    ];
    const [npm, oci] = read({ packages });
    expect(npm?.fields).toMatchObject({ registryUrl: 'https://npm.corp' });
    expect(oci?.fields).toMatchObject({ args: ['run', '-i', '--rm', '-e', 'K', 'a:1'] });
  });

  it('reaches addresses, with their variables and headers', () => {
    const remotes = [
      {
        type: 'streamable-http',
        url: 'https://{tenant}.a.test/{path}',
        variables: { tenant: { isRequired: true } },
        headers: [
          {
            name: 'Authorization',
            value: 'Bearer {token}',
            variables: { token: { isSecret: true, isRequired: true } },
          },
          { name: 'X-Trace' },
        ],
      },
      { type: 'sse', url: 'https://b.test/sse' },
    ];
    expect(filled({ remotes }, { tenant: 'acme', token: 't' })).toEqual([
      {
        type: 'streamableHttp',
        url: 'https://acme.a.test/{path}',
        headers: { Authorization: 'Bearer t' },
      },
      { type: 'sse', url: 'https://b.test/sse', headers: {} },
    ]);
  });

  it('asks for the secret that a text names and does not declare, and for yes or no', () => {
    const remotes = [
      {
        type: 'streamable-http',
        url: 'https://a.test/mcp',
        headers: [
          { name: 'Authorization', value: 'Bearer {api_key}', isSecret: true, isRequired: true },
          { name: 'X-Json', value: '{"a":1}', isSecret: true },
          { name: 'X-Plain', value: '{as_it_is}' },
        ],
      },
    ];
    expect(filled({ remotes }, { api_key: 'k' })[0]).toMatchObject({
      headers: { Authorization: 'Bearer k', 'X-Json': '{"a":1}', 'X-Plain': '{as_it_is}' },
    });
    const packageArguments = [
      { type: 'named', name: '--verbose', description: 'Says more', format: 'boolean' },
    ];
    const packages = [{ registryType: 'npm', identifier: 'a', version: '1', packageArguments }];
    expect(read({ packages })[0]?.questions[0]?.options).toEqual(['true', 'false']);
  });

  it('names bundles, and kinds of packages that nothing runs', () => {
    const packages = [
      { registryType: 'mcpb', identifier: 'https://a.test/x.mcpb', fileSha256: 'ab' },
      { registryType: 'cargo', identifier: 'x' },
    ];
    const [bundle, cargo] = read({ packages });
    expect(bundle?.bundle).toEqual({ url: 'https://a.test/x.mcpb', sha256: 'ab' });
    expect(cargo?.unsupported).toBe('cargo');
  });

  it('is no entry without packages or addresses, and gives nothing of its own a right', () => {
    expect(() => read({})).toThrow(expect.objectContaining({ code: 'invalid_server' }));
    const [entry] = read({
      remotes: [{ type: 'sse', url: 'https://a.test/' }],
      autoApprove: ['*'],
      trust: true,
    });
    expect(entry?.fields).toEqual({ type: 'sse', url: 'https://a.test/', headers: {} });
  });
});
