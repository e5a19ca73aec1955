import { describe, expect, it } from 'vitest';
import { isTag, mayDownload, packageRun, parseSpec } from './package-run.ts';

const run = (line: string) => {
  const [command = '', ...args] = line.split(' ');
  return packageRun({ command, args });
};

describe('packageRun', () => {
  it.each([
    ['npx -y pkg', { packages: ['pkg'], args: [] }],
    ['npx pkg@1.2.3 a --b', { packages: ['pkg@1.2.3'], args: ['a', '--b'] }],
    ['/opt/node/bin/npx --yes @scope/pkg@latest', { packages: ['@scope/pkg@latest'], args: [] }],
    ['npx.cmd -y -- pkg -x', { packages: ['pkg'], args: ['-x'] }],
    ['npx -p a --package=b@2 run it', { packages: ['a', 'b@2'], program: 'run', args: ['it'] }],
    ['npm exec -y pkg -- --flag', { packages: ['pkg'], args: ['--flag'] }],
    [
      'npx --registry=https://r.test/ pkg',
      { packages: ['pkg'], args: [], registryUrl: 'https://r.test/' },
    ],
  ])('reads %s', (line, expected) => {
    expect(run(line)).toEqual(expected);
  });

  it.each([
    'npx',
    'npx -c something',
    'npx ./folder',
    'npx github:owner/repo',
    'npx https://example.com/a.tgz',
    'npx name@npm:other',
    'npx --unknown pkg',
    'npm install pkg',
    'uvx pkg',
    'node server.js',
  ])('leaves %s to itself', (line) => {
    expect(run(line)).toBeUndefined();
  });
});

describe('mayDownload', () => {
  it.each([
    ['npx pkg', true],
    ['uvx mcp-server-time', true],
    ['uv tool run x', true],
    ['uv pip list', false],
    ['docker run -i image', true],
    ['docker ps', false],
    ['uv --directory /srv/weather run weather.py', true],
    ['docker --context far run -i image', true],
    ['docker mcp gateway run', true],
    ['dnx My.Server --yes', true],
    ['go run ./server', true],
    ['pnpm dlx x', true],
    ['bunx x', true],
    ['node server.js', false],
    ['toString', false],
  ])('of %s is %s', (line, expected) => {
    const [command = '', ...args] = line.split(' ');
    expect(mayDownload({ command, args })).toBe(expected);
  });
});

it('tells tags from versions', () => {
  expect(parseSpec('@a/b@^1.2')).toEqual({ name: '@a/b', version: '^1.2' });
  expect(parseSpec('b')).toEqual({ name: 'b' });
  const tags = ['latest', 'next', 'v1.2', '1.x', undefined].map(isTag);
  expect(tags).toEqual([true, true, false, false, false]);
});
