import { expect, it } from 'vitest';
import { hiddenSecret } from '#shared/text/text.ts';
import { describeLaunch } from './describe-server.ts';

it('G7: tells what decides what runs, and of a secret only its name', () => {
  const env = { NODE_OPTIONS: '--import ./a.js', KEY: hiddenSecret };
  const config = { type: 'stdio', name: 's', command: 'node', args: [], env };
  expect(describeLaunch({ config })).toEqual([
    ['command', 'node'],
    ['variable', 'NODE_OPTIONS="--import ./a.js"'],
    ['variable', 'KEY (its value is not shown)'],
  ]);
});
