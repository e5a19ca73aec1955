import { expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import type { ServerView } from '#shared/api/api.ts';
import { describeAccess, describeLaunch, describeTarget } from './describe-server.ts';
import { sandboxWarning } from './diagnosis-page.ts';

it('G7: tells what decides what runs, and of a secret only its name', () => {
  const env = { NODE_OPTIONS: '--import ./a.js', KEY: hiddenSecret };
  const config = { type: 'stdio', name: 's', command: 'node', args: [], env };
  const facts = describeLaunch({ config }).map((fact) => fact.map(textOf));
  expect(facts).toEqual([
    ['command', 'node'],
    ['variable', 'NODE_OPTIONS="--import ./a.js"'],
    ['variable', 'KEY (value hidden)'],
    ['files', "everything except Cerise's data folder"],
    ['network', 'allowed'],
  ]);
});

it('names a bundle where a launch has only its variables', () => {
  const bundle = { name: 'hello', version: '1.0.0' };
  const config = { type: 'stdio', command: 'node', args: ['${__dirname}/a.js'], bundle };
  expect(describeTarget({ config } as unknown as ServerView)).toBe('bundle hello 1.0.0');
});

it.each<[ServerAccess, string[][]]>([
  [
    { files: 'own', network: false },
    [
      ['files', 'only its own folder'],
      ['network', 'blocked'],
    ],
  ],
  [
    { files: { folders: [{ path: '/a' }, { path: '/b', write: true }] }, network: true },
    [
      ['files', 'its own folder'],
      ['files', '/a (read-only)'],
      ['files', '/b (read and write)'],
      ['network', 'allowed'],
    ],
  ],
])('tells what %j gives', (access, facts) => {
  expect(describeAccess(access).map((fact) => fact.map(textOf))).toEqual(facts);
});

it('warns where nothing is enforced, and only there', () => {
  const reason = "bubblewrap isn't installed.";
  expect(sandboxWarning({ works: false, reason })?.text).toBe(
    "This machine can't enforce it. bubblewrap isn't installed.",
  );
  expect(sandboxWarning({ works: true })).toBeUndefined();
});
