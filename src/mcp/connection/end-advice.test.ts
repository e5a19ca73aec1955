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
  });

  it('asks for all variables, and begins with the first', () => {
    const { hint, fix } = adviceFor({ kind: 'variable', names: ['A_B', 'C_D'] }, config([]));
    expect(textOf(hint)).toBe('Add the variables A_B, C_D to this server.');
    expect(fix).toEqual({ kind: 'variable', name: 'A_B' });
  });

  it('leaves to time what may pass', () => {
    for (const kind of ['network', 'service', 'disk', 'daemon'] as const)
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
