import { describe, expect, it } from 'vitest';
import { fillIn, findQuestions } from './placeholders.ts';

const declared = [
  { id: 'key', type: 'promptString', description: 'Your key', password: true },
  { id: 'size', type: 'pickString', options: ['s', { label: 'L', value: 'l' }, 7], default: 's' },
  'nonsense',
  null,
];

describe('the questions of an import', () => {
  it('are every ${…}, with what VS Code declares of them', () => {
    const fields = {
      command: 'run',
      args: ['${input:size}', '${HOME_DIR:-/srv}/x'],
      env: { KEY: '${input:key}', OTHER: '${env:GITHUB_TOKEN}' },
    };
    expect(findQuestions(fields, declared)).toEqual([
      { id: 'input:size', secret: false, default: 's', options: ['s', 'l'], inClear: true },
      { id: 'HOME_DIR', secret: false, default: '/srv', inClear: true },
      { id: 'input:key', label: 'Your key', secret: true, inClear: false },
      { id: 'env:GITHUB_TOKEN', secret: true, inClear: false },
    ]);
  });

  it('are answered by text that is not read again', () => {
    const fields = { args: ['a${input:x}b', '${input:y}'], env: { A: '${input:x}' } };
    const answers = new Map([['input:x', '$& ${input:y} $1']]);
    expect(fillIn(fields, answers)).toEqual({
      args: ['a$& ${input:y} $1b', '${input:y}'],
      env: { A: '$& ${input:y} $1' },
    });
  });
});
