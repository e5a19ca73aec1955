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

  it('are about a secret by what they ask for, whatever the server is called', () => {
    const args = ['--api-key=${@acme/mcp: api-key}', '--root=${https://a.test/key: root}'];
    expect(findQuestions({ args }, []).map(({ secret }) => secret)).toEqual([true, false]);
  });

  it('are answered by text that is not read again', () => {
    const fields = { args: ['a${input:x}b', '${input:y}'], env: { A: '${input:x}' } };
    const answers = new Map([['input:x', '$& ${input:y} $1']]);
    expect(fillIn(fields, answers, [])).toEqual({
      args: ['a$& ${input:y} $1b', '${input:y}'],
      env: { A: '$& ${input:y} $1' },
    });
  });

  it.each([
    ['<YOUR_TOKEN>', '<YOUR_TOKEN>'],
    ['Bearer <token>', '<token>'],
    ['YOUR_API_KEY', 'YOUR_API_KEY'],
    ['your-api-key-here', 'your-api-key-here'],
    ['sk-ant-xxxxxxxx', 'sk-ant-xxxxxxxx'],
    ['ghp_your_token', 'ghp_your_token'],
    ['CHANGE_ME', 'CHANGE_ME'],
    ['xxxxxxxx-xxxx-xxxx', 'xxxxxxxx-xxxx-xxxx'],
  ])('are words that stand for a value: %s', (text, id) => {
    const fields = { command: 'run', env: { API_KEY: text } };
    expect(findQuestions(fields, [])).toEqual([
      { id, label: 'API_KEY', secret: true, inClear: false },
    ]);
    expect(fillIn(fields, new Map([[id, 'mine']]), [])).toEqual({
      command: 'run',
      env: { API_KEY: text.replace(id, 'mine') },
    });
  });

  it.each(['/path/to/allowed/dir', 'C:\\path\\to\\x', '/Users/username/Desktop'])(
    'are paths of nobody, which may stay as they are: %s',
    (path) => {
      expect(findQuestions({ args: ['-y', 'pkg@1.2', path] }, [])).toEqual([
        { id: path, secret: false, default: path, inClear: true },
      ]);
    },
  );

  it('are not asked where nothing stands for a value', () => {
    const fields = {
      name: 'your-server',
      command: 'npx',
      args: ['-y', '@scope/server-x', '/home/ana/x', '--max=4', 'a<b'],
      env: { LEVEL: 'xxx', PATHS: '/usr/bin' },
    };
    expect(findQuestions(fields, [])).toEqual([]);
  });

  it('keep a secret out of arguments and addresses', () => {
    const fields = {
      args: ['--key=<YOUR_KEY>', '${input:token}', '${REGION}'],
      url: 'https://<YOUR_TENANT_KEY>.a.test/${API_KEY}/mcp',
      headers: { a: '${API_KEY}' },
    };
    const asked = findQuestions(fields, []);
    expect(asked.map(({ id, inClear }) => [id, inClear])).toEqual([
      ['<YOUR_KEY>', false],
      ['input:token', false],
      ['REGION', true],
      ['<YOUR_TENANT_KEY>', true],
      ['API_KEY', false],
    ]);
    const answers = new Map(asked.map(({ id }, at) => [id, `v${at}`]));
    expect(fillIn(fields, answers, asked)).toEqual({
      args: ['--key=${secret:YOUR_KEY}', '${secret:token}', 'v2'],
      url: 'https://v3.a.test/${secret:API_KEY}/mcp',
      headers: { a: 'v4' },
      secrets: { YOUR_KEY: 'v0', token: 'v1', API_KEY: 'v4' },
    });
  });
});
