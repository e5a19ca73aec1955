import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { readYaml } from './read-yaml.ts';

describe('reading YAML', () => {
  it('reads what skills say of themselves', () => {
    const source = [
      '# what it is',
      'name: pdf-processing',
      'description: Extract, fill, and assemble PDFs # for everybody',
      'license: "MIT \\"or\\" later"',
      "compatibility: 'it''s portable'",
      'allowed-tools: Bash(git:*) Read',
      'user-invocable: false',
      'metadata:',
      '  author: example-org',
      '  version: "1.0"',
      '  level: 2',
      '  ratio: 1.50',
      '  nothing:',
      'tags: [pdf, "a, b", 3, ]',
      'none: []',
    ].join('\r\n');
    expect(readYaml(source)).toEqual({
      name: 'pdf-processing',
      description: 'Extract, fill, and assemble PDFs',
      license: 'MIT "or" later',
      compatibility: "it's portable",
      'allowed-tools': 'Bash(git:*) Read',
      'user-invocable': false,
      metadata: { author: 'example-org', version: '1.0', level: 2, ratio: 1.5, nothing: null },
      tags: ['pdf', 'a, b', 3],
      none: [],
    });
  });

  it('reads texts over several lines', () => {
    const source = [
      'plain: one',
      '  two',
      '  three',
      'kept: |',
      '  first  ',
      '    deeper',
      '',
      '  last',
      'folded: >-',
      '  one',
      '  two',
      '',
      '  three',
      'next: 1',
    ].join('\n');
    expect(readYaml(source)).toEqual({
      plain: 'one two three',
      kept: 'first  \n  deeper\n\nlast\n',
      folded: 'one two\nthree',
      next: 1,
    });
  });

  it('reads lists of texts and of mappings, indented or not', () => {
    const source = [
      'tools:',
      '- read',
      '- write',
      'hooks:',
      '  - name: before',
      '    run: true',
      '  - name: after',
      '    steps:',
      '      - one',
    ].join('\n');
    expect(readYaml(source)).toEqual({
      tools: ['read', 'write'],
      hooks: [
        { name: 'before', run: true },
        { name: 'after', steps: ['one'] },
      ],
    });
  });

  it('reads settings of servers', () => {
    const source = [
      '---',
      'extensions:',
      '  Computer Controller:',
      '    cmd: npx',
      '    args: [-y, @scope/server, "a, b"]',
      '    envs: {"KEY": "a: b", "n": [1, {"b": true}]} # JSON',
      '  "quoted":',
      '    args:',
      '    - -y',
      '    - https://example.com:8080/x',
    ].join('\n');
    expect(readYaml(source)).toEqual({
      extensions: {
        'Computer Controller': {
          cmd: 'npx',
          args: ['-y', '@scope/server', 'a, b'],
          envs: { KEY: 'a: b', n: [1, { b: true }] },
        },
        quoted: { args: ['-y', 'https://example.com:8080/x'] },
      },
    });
  });

  it.each([
    ['an anchor', 'a: &x 1\nb: *x'],
    ['a tag', 'a: !!str 1'],
    ['a flow mapping', 'a: {b: 1}'],
    ['an open quote', 'a: "b'],
    ['a second value', 'a: b: c'],
    ['a key twice', 'a: 1\na: 2'],
    ['a text that a comment cuts', 'a: b # c\n  d'],
    ['a block that keeps its end', 'a: |+\n  b'],
    ['a tab', 'a:\n\tb: 1'],
    ['a text without a key', 'just text'],
    ['an open list', 'a: [1, 2'],
    ['an empty item', 'a: [1,,2]'],
    ['uneven indentation', 'a:\n    b: 1\n  c: 2'],
    ['a prototype', '__proto__:\n  a: 1'],
    ['infinity', 'a: .inf'],
    [
      'a key that is too deep',
      Array.from({ length: 50 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    ],
    ['too many lines', 'a: 1\n'.repeat(5000)],
  ])('reads nothing into %s', (_what, source) => {
    expect(readYaml(source)).toBeUndefined();
  });

  it('stays fast on what was made to be slow', () => {
    const time = cpuTime(() => {
      for (const part of ["'", "''", '"\\', ' #', '[[', '- ', 'a: ', '  '])
        readYaml(part.repeat(50_000));
    });
    expect(time).toBeLessThan(1000);
  });
});
