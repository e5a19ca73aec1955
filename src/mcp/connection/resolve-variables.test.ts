import { describe, expect, it } from 'vitest';
import { serverConfigSchema, type ServerRecord } from '#shared/vocabulary/server.ts';
import { resolveVariables } from './resolve-variables.ts';

const host = (name: string): string | undefined =>
  new Map([
    ['LISTED', 'from host'],
    ['HTTPS_PROXY', 'http://proxy:1'],
  ]).get(name);

function record(config: object, rest: Partial<ServerRecord> = {}): ServerRecord {
  const parsed = serverConfigSchema.parse({ name: 'one', ...config });
  return { id: 'a', owner: 'local', config: parsed, createdAt: 0, updatedAt: 0, ...rest };
}

function resolve(config: object, rest?: Partial<ServerRecord>) {
  const resolved = resolveVariables(record(config, rest), host);
  return { config: resolved.record.config, secrets: resolved.secrets };
}

describe('variables of a server', () => {
  it('have their values in arguments and variables, each staying one argument', () => {
    const { config, secrets } = resolve({
      type: 'stdio',
      command: 'run',
      args: ['--key=${secret:KEY}', '${KEY}', '${LISTED}', '$${KEY}'],
      env: { TOKEN: 'Bearer ${KEY}', PATHS: '${HOME}/x' },
      secrets: { KEY: 'a b ${LISTED} --flag' },
    });
    expect(config).toMatchObject({
      args: ['--key=a b ${LISTED} --flag', 'a b ${LISTED} --flag', 'from host', '${KEY}'],
      env: {
        TOKEN: 'Bearer a b ${LISTED} --flag',
        PATHS: `${process.env['HOME']}/x`,
        HTTPS_PROXY: 'http://proxy:1',
      },
    });
    expect(secrets).toEqual(['a b ${LISTED} --flag', 'from host']);
  });

  it('have their values in headers, paths and queries, and change no address', () => {
    const { config } = resolve({
      type: 'streamableHttp',
      baseUrl: 'https://a.test/${secret:TEAM}/mcp?key=${KEY}',
      headers: { 'X-Key': '${KEY}' },
      secrets: { TEAM: '../x?y#z', KEY: 'k&admin=1' },
    });
    expect(config).toMatchObject({
      baseUrl: 'https://a.test/..%2Fx%3Fy%23z/mcp?key=k%26admin%3D1',
      headers: { 'X-Key': 'k&admin=1' },
    });
  });

  it.each([
    'https://${H}/mcp',
    'https://${H}.a.test/',
    'https://a.test:${P}/',
    'https://${U}@a.test/',
  ])('are refused in the host of %s', (baseUrl) => {
    const config = { type: 'streamableHttp', baseUrl: 'https://a.test/' };
    const given = record(config);
    const changed = { ...given, config: { ...given.config, baseUrl } as ServerRecord['config'] };
    expect(() => resolveVariables(changed, host)).toThrow(
      expect.objectContaining({ code: 'invalid_server' }),
    );
  });

  it('that have no value are named, all of them', () => {
    const config = { type: 'stdio', command: 'run', args: ['${ONE}'], env: { A: '${secret:TWO}' } };
    expect(() => resolve(config)).toThrow(
      expect.objectContaining({
        code: 'missing_variable',
        details: { variables: ['ONE', 'TWO'], fix: { kind: 'secret', name: 'ONE' } },
      }),
    );
  });

  it('T25 T77 of the host are for servers of admins, by name, and never by another word for it', () => {
    const config = { type: 'streamableHttp', baseUrl: 'https://a.test/?k=${env:LISTED}' };
    expect(resolve(config).config).toMatchObject({ baseUrl: 'https://a.test/?k=from%20host' });
    const refused = [
      () => resolve(config, { publicOnly: true }),
      () => resolve({ ...config, baseUrl: 'https://a.test/?k=${LISTED}' }, { publicOnly: true }),
      () => resolve({ ...config, baseUrl: 'https://a.test/?k=${secret:LISTED}' }),
      () => resolve({ ...config, baseUrl: 'https://a.test/?k=${UNLISTED}' }),
      () => resolve({ ...config, baseUrl: 'https://a.test/?k=${HOME}' }),
      () => resolve({ ...config, baseUrl: 'https://a.test/?k=${toString}' }),
    ];
    for (const run of refused)
      expect(run).toThrow(expect.objectContaining({ code: 'missing_variable' }));
  });
});
