import { describe, expect, it } from 'vitest';
import { packageOf } from './package-of.ts';

describe('packageOf', () => {
  it.each([
    ['npx', ['-y', '@scope/server'], '@scope/server', false],
    ['/usr/bin/npx', ['-y', '@scope/server@1.2.3', '--flag'], '@scope/server@1.2.3', true],
    ['npx.cmd', ['--package=a@latest', 'a'], 'a@latest', false],
    ['npx', ['-p', 'b@2.0.0', 'run-b'], 'b@2.0.0', true],
    ['uvx', ['--from', 'git+https://x.example/y', 'tool'], 'git+https://x.example/y', false],
    ['uvx', ['tool==1.0.0'], 'tool==1.0.0', true],
    ['pnpm', ['dlx', 'c'], 'c', false],
  ])('finds what %s %j runs', (command, args, name, fixed) => {
    expect(packageOf({ command, args })).toEqual({ name, fixed });
  });

  it.each([
    ['node', ['server.js']],
    ['pnpm', ['run', 'x']],
    ['npx', ['-y']],
  ])('finds none in %s %j', (command, args) => {
    expect(packageOf({ command, args })).toBeUndefined();
  });
});
