import { describe, expect, it } from 'vitest';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { npm } from '../../../test/fakes/server-registry.ts';
import { type CopiedEntry, toCopied } from './copied-entry.ts';
import { installedFrom, sameWay, waysOf } from './entry-way.ts';
import { alignArgs, readBack } from './read-answers.ts';
import { updatedConfig } from './updated-config.ts';

const copied = (more: object): CopiedEntry => {
  const entry = toCopied('own', { name: 'io.test/x', version: '1', ...more });
  if (!entry) throw new Error('no entry');
  return entry;
};

/** What becomes of a server of one version with another. */
function update(
  before: object,
  after: object,
  present: ServerConfig,
  given: Record<string, string> = {},
) {
  const old = copied(before);
  const [way] = waysOf(old.server);
  if (!way) throw new Error('no way');
  const from = installedFrom(old, way);
  const next = sameWay(waysOf(copied(after).server), from);
  if (!next) throw new Error('no way');
  return updatedConfig(present, from, next, new Map(Object.entries(given)));
}

const local = (more: Partial<Extract<ServerConfig, { type: 'stdio' }>>): ServerConfig => ({
  type: 'stdio',
  name: 'x',
  command: 'npx',
  args: [],
  env: {},
  ...more,
});

const question = (name: string, more: object = {}) => ({ name, isRequired: true, ...more });

describe('another version of an installed server', () => {
  const packages = (version: string, more: object = {}) => ({
    packages: [
      npm('x', {
        version,
        packageArguments: [
          { type: 'named', name: '--verbose' },
          { type: 'positional', valueHint: 'folder', isRequired: true },
          { type: 'named', name: '--key', isSecret: true, description: 'Key' },
        ],
        environmentVariables: [question('TOKEN', { isSecret: true }), { name: 'LEVEL' }],
        ...more,
      }),
    ],
  });
  const present = local({
    args: ['-y', 'x@1', '--verbose', '/srv', '--key=${secret:key}', '--mine'],
    env: { TOKEN: '${env:HOST_TOKEN}', OWN: 'own' },
    secrets: { key: 'k', unused: 'u' },
    timeout: 9,
  });

  it('changes the version alone, and keeps answers, references and what a person added', () => {
    const { config, open } = update(packages('1'), packages('2'), present);
    expect(open).toEqual([]);
    expect(config).toEqual({
      ...present,
      args: ['-y', 'x@2', '--verbose', '/srv', '--key=${secret:key}', '--mine'],
      secrets: { key: 'k' },
    });
  });

  it('fills in answers where the text around them changed, and asks for what is new', () => {
    const next = packages('2', {
      packageArguments: [
        { type: 'named', name: '--key', isSecret: true, description: 'Another text' },
        { type: 'positional', valueHint: 'folder', isRequired: true },
        { type: 'named', name: '--region', isRequired: true },
      ],
      environmentVariables: [question('TOKEN'), question('ZONE')],
    });
    const first = update(packages('1'), next, present);
    expect(first.open.map(({ id }) => id)).toEqual([
      'input:package0.--region',
      'input:package0.ZONE',
    ]);
    const given = { 'input:package0.--region': 'eu', 'input:package0.ZONE': '${env:HOME}' };
    const { config, open } = update(packages('1'), next, present, given);
    expect(open).toEqual([]);
    expect(config).toMatchObject({
      args: ['-y', 'x@2', '--key=${secret:key}', '/srv', '--region=eu', '--mine'],
      // What is entered refers to nothing of the host.
      env: { TOKEN: '${env:HOST_TOKEN}', ZONE: '$${env:HOME}', OWN: 'own' },
      secrets: { key: 'k' },
    });
  });

  it('T78: takes nothing along to another package, mirror or origin', () => {
    const elsewhere = [
      { packages: [npm('evil', { environmentVariables: [question('TOKEN')] })] },
      packages('2', { registryBaseUrl: 'https://mirror.test' }),
    ];
    for (const next of elsewhere) {
      const { config, open } = update(packages('1'), next, present);
      expect(open.map(({ id }) => id)).toContain('input:package0.TOKEN');
      expect(JSON.stringify(config)).not.toMatch(/HOST_TOKEN|"own"|"k"|--mine/);
    }
    const remote = (url: string) => ({
      remotes: [{ type: 'streamable-http', url, headers: [question('X-Key', { isSecret: true })] }],
    });
    const reached: ServerConfig = {
      type: 'streamableHttp',
      name: 'x',
      baseUrl: 'https://a.test/one?api_key=canary',
      headers: { 'X-Key': 'canary', Own: 'canary' },
      auth: { grant: 'authorization_code', clientId: 'c', clientSecret: 'canary' },
    };
    const moved = update(remote('https://a.test/one'), remote('https://b.test/one'), reached);
    expect(JSON.stringify(moved.config)).not.toContain('canary');
    expect(moved.open).toHaveLength(1);
    const stayed = update(remote('https://a.test/one'), remote('https://a.test/two'), reached);
    expect(stayed).toMatchObject({
      open: [],
      config: { baseUrl: 'https://a.test/two', headers: { 'X-Key': 'canary', Own: 'canary' } },
    });
  });

  it('follows its package to another place among them', () => {
    const after = { packages: [{ ...npm('x'), registryType: 'pypi' }, npm('x', { version: '2' })] };
    const { config } = update({ packages: [npm('x')] }, after, local({ args: ['-y', 'x@1.0.0'] }));
    expect(config).toMatchObject({ command: 'npx', args: ['-y', 'x@2'] });
  });
});

describe('what was answered', () => {
  it('is read back from a text', () => {
    const template = 'Bearer ${input:package0.a}-${input:package0.b}!';
    expect(readBack(template, 'Bearer 1-2!')).toEqual(
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
    );
    for (const other of ['', 'Bearer 1!', 'Bearer 1-2', 'bearer 1-2!', 'Bearer -!x'])
      expect(readBack(template, other)).toBeUndefined();
    expect(readBack('${input:package0.a}${input:package0.b}', 'xy')).toBeUndefined();
    expect(readBack('plain', 'plain')).toEqual(new Map());
  });

  it('is found in arguments of which some were left out, or none', () => {
    const all = ['a', '${input:package0.one}', '--x=${input:package0.x}', 'b'];
    expect(alignArgs(all, ['a', '1', '--x=2', 'b', 'more'])).toEqual({
      slots: ['a', '1', '--x=2', 'b'],
      more: ['more'],
    });
    expect(alignArgs(all, ['a', '--x=2', 'b'])?.slots).toHaveLength(4);
    expect(alignArgs(all, ['a', 'b'])).toEqual({
      slots: ['a', undefined, undefined, 'b'],
      more: [],
    });
    expect(alignArgs(all, ['other', 'b'])).toBeUndefined();
  });

  it('is read in linear time from texts that are made to take long', () => {
    const parts = Array.from({ length: 300 }, (_, at) => `\${input:package0.p${at}}a`);
    expect(readBack(`${parts.join('')}!`, 'a'.repeat(30_000))).toBeUndefined();
  });
});
