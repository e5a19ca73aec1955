import { expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import { describeLaunch } from './describe-server.ts';

it('G7: tells what decides what runs, and of a secret only its name', () => {
  const env = { NODE_OPTIONS: '--import ./a.js', KEY: hiddenSecret };
  const config = { type: 'stdio', name: 's', command: 'node', args: [], env };
  const facts = describeLaunch({ config }).map((fact) => fact.map(textOf));
  expect(facts).toEqual([
    ['command', 'node'],
    ['variable', 'NODE_OPTIONS="--import ./a.js"'],
    ['variable', 'KEY (value hidden)'],
  ]);
});
