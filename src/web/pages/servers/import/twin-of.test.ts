import { expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { twinOf } from './twin-of.ts';

const npx = (...args: string[]) => ({ type: 'stdio', command: 'npx', args, env: {} });
const far = (baseUrl: string) => ({ type: 'streamableHttp', baseUrl });
const there = (name: string, config: unknown, builtin = false) =>
  ({ name, config, builtin }) as unknown as ServerView;

const servers = [
  there('memory', { type: 'inMemory', server: 'memory' }, true),
  there('Everything', npx('-y', '@scope/everything@1.2.3')),
  there('Weather', far('https://a.example/mcp')),
  there('Script', { type: 'stdio', command: 'node', args: ['a.js'], env: {} }),
];

it.each([
  [npx('-y', '@scope/everything'), 'Everything'],
  [npx('--package=@scope/everything@2.0.0', 'everything'), 'Everything'],
  [far('https://a.example/mcp'), 'Weather'],
  [npx('-y', '@scope/everything-else'), undefined],
  [far('https://a.example/other'), undefined],
  [{ type: 'stdio', command: 'node', args: ['b.js'], env: {} }, undefined],
  [undefined, undefined],
])('finds for %j the server %s', (config, name) => {
  expect(twinOf(config, servers)?.name).toBe(name);
});
