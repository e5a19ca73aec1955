import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { adviceFor, missingHeader } from './end-advice.ts';
import { similarPackage } from './similar-package.ts';

const config = (args: string[]): StdioConfig => ({
  type: 'stdio',
  name: 's',
  command: 'npx',
  args,
  env: {},
});

describe('adviceFor', () => {
  it('proposes the latest where a version does not exist', () => {
    const cause = { kind: 'version', spec: '@a/b@9.9.9' } as const;
    expect(adviceFor(cause, config(['-y', '@a/b@9.9.9', 'x']))).toMatchObject({
      fix: { kind: 'argument', from: '@a/b@9.9.9', to: '@a/b' },
      final: true,
    });
    const tag = { kind: 'version', spec: 'lastest' } as const;
    expect(adviceFor(tag, config(['b@lastest'])).fix).toMatchObject({ to: 'b' });
    const other = (command: string, spec: string) =>
      adviceFor({ kind: 'version', spec }, { ...config([spec]), command }).fix;
    expect(other('uvx', 'a-b==9.9')).toMatchObject({ to: 'a-b' });
    expect(other('docker', 'ghcr.io/a/b:9')).toMatchObject({ to: 'ghcr.io/a/b' });
    // Nothing to press where it would change nothing, or where nothing runs without a version.
    expect(other('npx', '@a/b')).toBeUndefined();
    expect(other('go', 'a.test/b@v9')).toBeUndefined();
  });

  it('asks for another version of the package where one that it needs does not exist', () => {
    const words = (spec: string, args: string[]) =>
      textOf(adviceFor({ kind: 'version', spec }, config(args)).hint);
    const incomplete = 'The package is incomplete. Try another version of it.';
    expect(words('typedarray.slice@^1.0.6', ['-y', '@a/b'])).toBe(incomplete);
    expect(words('@a/core@^2', ['-y', '@a/b@1.0.0'])).toBe(incomplete);
    const wrong = 'Choose another version, or remove it to use the latest.';
    expect(words('@a/b@9.9.9', ['-y', '@a/b@9.9.9'])).toBe(wrong);
    expect(words('my-server==9.9', ['my_server==9.9'])).toBe(wrong);
    expect(words('lastest', ['b@lastest'])).toBe(wrong);
  });

  it('writes out the home folder, and adds what a .env file would hold', () => {
    const home = adviceFor({ kind: 'file', path: '~/a/index.js' }, config(['~/a/index.js']));
    expect(home.fix).toEqual({
      kind: 'argument',
      from: '~/a/index.js',
      to: `${homedir()}/a/index.js`,
    });
    expect(adviceFor({ kind: 'file', path: '/a.js' }, config(['/a.js'])).fix).toBeUndefined();
    const hint = (path: string) => textOf(adviceFor({ kind: 'absent', path }, config([])).hint);
    expect(hint('/srv/.env.local')).toContain('Add them to this server instead.');
    expect(hint('/srv/my.env/a')).not.toContain('instead');
  });

  it('asks for all variables, and begins with the first', () => {
    const { hint, fix } = adviceFor({ kind: 'variable', names: ['A_B', 'C_D'] }, config([]));
    expect(textOf(hint)).toBe('Add the variables A_B, C_D to this server.');
    expect(fix).toEqual({ kind: 'variable', name: 'A_B' });
  });

  it('names the access where a server lacks it, and offers to allow the network', () => {
    const access = { files: 'own', network: false } as const;
    const confined = { ...config(['-y', 'a']), access };
    const elsewhere = adviceFor({ kind: 'service', address: 'a.test' }, confined);
    expect(elsewhere).toMatchObject({ fix: { kind: 'network' }, final: true });
    expect(textOf(elsewhere.hint)).toContain('no network access');
    // The package itself is installed with the network.
    expect(adviceFor({ kind: 'network' }, confined).fix).toBeUndefined();
    const uvx = { ...confined, command: 'uvx' };
    expect(adviceFor({ kind: 'network' }, uvx).fix).toEqual({ kind: 'network' });
    for (const kind of ['permission', 'absent'] as const) {
      const cause = { kind, path: '/srv/notes' };
      expect(textOf(adviceFor(cause, confined).hint)).toContain('access');
      expect(textOf(adviceFor(cause, config([])).hint)).not.toContain('access');
    }
  });

  it('blames no name that nobody wrote where a package needs one that is not there', () => {
    const cause = { kind: 'package', name: 'gone-part' } as const;
    expect(textOf(adviceFor(cause, config(['-y', 'a-server'])).hint)).toContain('another version');
    expect(textOf(adviceFor(cause, config(['-y', 'gone-part@1'])).hint)).toContain(
      'Check its name',
    );
    const dnx = { kind: 'package', name: 'acme.nope' } as const;
    expect(textOf(adviceFor(dnx, config(['Acme.Nope'])).hint)).toContain('Check its name');
  });

  it('offers to start a container without a terminal', () => {
    const { fix } = adviceFor({ kind: 'terminal' }, config(['run', '-it', '--rm', 'mcp/time']));
    expect(fix).toEqual({ kind: 'argument', from: '-it', to: '-i' });
  });

  it('names the program that is missing beside the command itself', () => {
    const said = (program: string) =>
      textOf(adviceFor({ kind: 'runtime', program }, config([])).hint);
    expect(said('git')).toBe('Install git on the machine that runs Cerise.');
    expect(said('python')).toContain('python.org');
  });

  it('leaves to time what may pass', () => {
    for (const kind of ['network', 'service', 'disk', 'daemon', 'busy', 'crash'] as const)
      expect(adviceFor({ kind }, config([])).final).toBe(false);
  });
});

it.each([
  ['@modelcontextprotocol/server-filesytem', '@modelcontextprotocol/server-filesystem'],
  ['server-filesystem', '@modelcontextprotocol/server-filesystem'],
  ['@modelcontextprotocol/sever-memory', '@modelcontextprotocol/server-memory'],
  ['playwrigth-mcp', undefined],
  ['something-else-entirely', undefined],
  ['mcp', undefined],
])('finds what %s was meant for', (name, meant) => {
  expect(similarPackage(name)).toBe(meant);
});

it.each([
  ['Missing x-api-key header', 'x-api-key'],
  ['Authorization header is required', 'Authorization'],
  ['Please provide the header "X-Figma-Token"', 'X-Figma-Token'],
  ['Unknown header in request', undefined],
  ['Bad Request', undefined],
])('of %j knows the missing header', (words, name) => {
  expect(missingHeader(words)).toBe(name);
});
