import { describe, expect, it } from 'vitest';
import { type ServerConfig, serverConfigSchema } from '#shared/vocabulary/server.ts';
import { launchHash } from './launch-hash.ts';

const base = { type: 'stdio', name: 'a', command: 'npx', args: ['x'], env: { A: '1', B: '2' } };
const parse = (value: object): ServerConfig => serverConfigSchema.parse(value);

describe('launchHash', () => {
  it('changes with everything that changes what is run', () => {
    const changes = [
      { command: 'npx2' },
      { args: ['x', 'y'] },
      { args: [] },
      { env: { A: '1' } },
      { env: { A: '1', B: '3' } },
      { cwd: '/tmp' },
      { registryUrl: 'https://mirror.test' },
    ];
    const hashes = [{}, ...changes].map((change) =>
      launchHash(parse(Object.assign({}, base, change))),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('changes with everything that changes what is reached, and what is sent there', () => {
    const server = { type: 'streamableHttp', name: 'a', baseUrl: 'https://a.test/mcp' };
    const auth = { clientId: 'a', clientSecret: 'b' };
    const changes = [
      { baseUrl: 'https://b.test/mcp' },
      { headers: { a: '1' } },
      { auth },
      { auth: { ...auth, clientSecret: 'c' } },
      { auth: { ...auth, authorizationServer: 'https://c.test' } },
      { auth: { ...auth, grant: 'client_credentials' } },
    ];
    const hashes = [{}, ...changes].map((change) => launchHash(parse({ ...server, ...change })));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('stays what it was before there was an access, where that is full', () => {
    const whole = { files: 'everything', network: true };
    const before = '807e8ed28eea4da8569a3062f2882eb4e98e521dac030f5215964e51720ecdd7';
    expect(launchHash(parse(base))).toBe(before);
    expect(launchHash(parse({ ...base, access: whole }))).toBe(before);
  });

  it('changes with everything that changes what a command may reach', () => {
    const files = [
      'own',
      'everything',
      { folders: [{ path: '/a' }] },
      { folders: [{ path: '/b' }] },
      { folders: [{ path: '/a', write: true }] },
      { folders: [{ path: '/a' }, { path: '/b' }] },
    ];
    const hashes = [true, false].flatMap((network) =>
      files.map((each) => launchHash(parse({ ...base, access: { files: each, network } }))),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('does not change with the order of folders, or with what they do not allow', () => {
    const hash = (folders: object[]) =>
      launchHash(parse({ ...base, access: { files: { folders }, network: false } }));
    expect(hash([{ path: '/a' }, { path: '/b', write: true }])).toBe(
      hash([
        { path: '/b', write: true },
        { path: '/a', write: false },
      ]),
    );
  });

  it('stays the same when only a name, a limit or the order of the environment changes', () => {
    const other = { ...base, name: 'b', timeout: 5, tags: ['t'], env: { B: '2', A: '1' } };
    expect(launchHash(parse(other))).toBe(launchHash(parse(base)));
  });
});
