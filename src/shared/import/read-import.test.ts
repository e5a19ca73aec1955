import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CeriseError } from '../errors/errors.ts';
import { fillIn, findQuestions } from './placeholders.ts';
import { readImport } from './read-import.ts';
import { readJsonc } from './read-jsonc.ts';

const base64 = (value: unknown) => btoa(JSON.stringify(value));
const entry = { command: 'npx', args: ['-y', 'a-server'] };
const read = (text: string) =>
  readImport(text).entries.map(({ name, fields }) => [name, fields.command ?? fields.url]);

describe('readImport', () => {
  it.each([
    ['Claude Desktop', JSON.stringify({ mcpServers: { a: entry } })],
    ['VS Code', JSON.stringify({ inputs: [], servers: { a: entry } })],
    ['settings of VS Code', JSON.stringify({ mcp: { servers: { a: entry } } })],
    ['OpenCode', JSON.stringify({ mcp: { a: entry } })],
    ['a list', JSON.stringify([{ name: 'a', ...entry }])],
    ['a list under the usual name', JSON.stringify({ mcpServers: [{ name: 'a', ...entry }] })],
    ['Cherry Studio', JSON.stringify({ mcpServers: { x1: { name: 'a', ...entry } } })],
    ['one entry', JSON.stringify({ name: 'a', ...entry })],
    ['named entries alone', JSON.stringify({ a: entry })],
    ['a fragment without braces', `"a": ${JSON.stringify(entry)},`],
    ['a block of code', `\`\`\`json\n${JSON.stringify({ a: entry })}\n\`\`\``],
    ['comments', `// mine\n{"mcpServers": {/* one */ "a": ${JSON.stringify(entry)},},}`],
    [
      'VS Code link',
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'a', ...entry }))}`,
    ],
    [
      'Insiders link',
      `vscode-insiders:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'a', ...entry }))}`,
    ],
    [
      'vscode.dev',
      `https://vscode.dev/redirect/mcp/install?name=a&config=${encodeURIComponent(JSON.stringify(entry))}`,
    ],
    [
      'vscode.dev around a link',
      `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'a', ...entry }))}`)}`,
    ],
    [
      'Cursor link',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=${base64(entry)}`,
    ],
    [
      'cursor.com',
      `https://cursor.com/en/install-mcp?name=a&config=${encodeURIComponent(base64(entry))}`,
    ],
    [
      'Cherry Studio link',
      `cherrystudio://mcp/install?servers=${base64({ mcpServers: { a: entry } })}`,
    ],
    ['LM Studio link', `lmstudio://add_mcp?name=a&config=${base64(entry)}`],
    [
      'a link of ours',
      `https://cerise.example/servers?install=${encodeURIComponent(JSON.stringify({ a: entry }))}`,
    ],
  ])('reads %s', (_, text) => {
    expect(read(text)).toEqual([['a', 'npx']]);
  });

  it('takes an address for a server, even one with a config of its own', () => {
    const address = 'https://mcp.example.com/mcp?config=e30';
    expect(read(address)).toEqual([['mcp.example.com', address]]);
  });

  it('names what has no name after its package or host', () => {
    expect(read(JSON.stringify(entry))).toEqual([['a-server', 'npx']]);
    const url = 'https://b.example/mcp';
    expect(read(JSON.stringify({ url }))).toEqual([['b.example', url]]);
  });

  it('keeps what is no entry in its place, to be refused there', () => {
    const { entries } = readImport('{"mcpServers": {"a": 1, "b": {"command": "x"}}}');
    expect(entries.map(({ place, fields }) => [place, fields])).toEqual([
      ['mcpServers.a', {}],
      ['mcpServers.b', { command: 'x' }],
    ]);
  });

  it('takes names of the prototype for names', () => {
    const { entries } = readImport('{"mcpServers": {"__proto__": {"command": "x"}}}');
    expect(entries.map(({ name }) => name)).toEqual(['__proto__']);
    expect(({} as { command?: string }).command).toBeUndefined();
  });

  it.each([
    ['an empty object', '{}', "doesn't contain any servers"],
    ['a number', '42', "doesn't contain any servers"],
    [
      'other settings',
      '{"editor.fontSize": 12, "theme": {"name": "x"}}',
      "doesn't contain any servers",
    ],
    ['words', 'hello there', "doesn't contain any servers"],
    ['a command of another program', 'pip install mcp-server-fetch', "doesn't contain any servers"],
    ['an installer', 'npx -y @smithery/cli install exa --client claude', 'to another app'],
    [
      'the manifest of a bundle',
      '{"manifest_version":"0.3","name":"a","server":{"mcp_config":{"command":"node"}}}',
      'manifest of a bundle',
    ],
    ['a page about servers', 'https://smithery.ai/server/@a/b', "project's web page"],
    ['a missing quote', '{"mcpServers": {\n  "a: {}\n}}', 'line 2'],
    ['a comment without an end', '/* {"a": 1}', "isn't valid JSON"],
    [
      'wrong base64',
      'cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=%%%',
      "can't be read",
    ],
    ['base64 of no text', `lmstudio://add_mcp?name=a&config=${btoa('\xff\xfe')}`, "can't be read"],
    ['a link with a broken escape', 'vscode:mcp/install?%E0%A4%A', "can't be read"],
    ['a million brackets', '['.repeat(1e6), 'too deeply'],
    ['a link in a link in a link…', nested(9), "doesn't contain any servers"],
    ['the page of a project', 'https://github.com/a/b', "project's web page"],
    ['101 servers', JSON.stringify(Array.from({ length: 101 }, () => entry)), 'up to 100 servers'],
  ])('refuses %s', (_, text, words) => {
    expect(() => readImport(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_server',
        message: expect.stringContaining(words) as string,
      }),
    );
  });

  it('answers anything with servers or one kind of error', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      '"',
      '\\',
      '//',
      '/*',
      '*/',
      ',',
      ':',
      '\n',
      'a',
      '1',
      '"command"',
      'https://x/',
      'config=',
      '%7B',
      '\u202e',
      '\0',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          return readImport(text).entries.length > 0;
        } catch (error) {
          return error instanceof CeriseError && error.code === 'invalid_server';
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('readJsonc', () => {
  it('reads every JSON as JSON.parse does, whatever comments stand around it', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const plain: unknown = JSON.parse(json);
        expect(readJsonc(json)).toEqual(plain);
        expect(readJsonc(`// "{\n${json}/* , ] */`)).toEqual(plain);
      }),
    );
  });

  it('leaves what looks like a comment or a comma alone inside texts', () => {
    expect(readJsonc('{"a": "// no, /* no */ ,]", "b": "\\",}",}')).toEqual({
      a: '// no, /* no */ ,]',
      b: '",}',
    });
  });
});

function nested(times: number): string {
  let text = JSON.stringify({ a: entry });
  for (let count = 0; count < times; count += 1)
    text = `https://a.example/servers?install=${encodeURIComponent(text)}`;
  return text;
}

describe('what documents write', () => {
  it('asks for each value by itself where documents write the same words for all', () => {
    const entry = (key: string) => ({
      command: 'npx',
      args: ['x'],
      env: { [key]: 'YOUR_API_KEY' },
    });
    const text = JSON.stringify({ mcpServers: { a: entry('A_KEY'), b: entry('B_KEY') } });
    const { entries } = readImport(text);
    const asked = entries.map(({ fields }) => findQuestions(fields, []).map(({ id }) => id));
    expect(asked).toEqual([['a: A_KEY'], ['b: B_KEY']]);
    const [a, b] = entries.map(({ fields }) =>
      fillIn(fields, new Map([['a: A_KEY', 'for a']]), findQuestions(fields, [])),
    );
    expect(a).toMatchObject({ env: { A_KEY: 'for a' } });
    expect(JSON.stringify(b)).not.toContain('for a');
  });

  it('finds the servers in a whole document, each once', () => {
    const block = (args: string) =>
      `\`\`\`json\n{"mcpServers": {"x": {"command": "npx", "args": ["${args}"]}}}\n\`\`\``;
    const text = `# X\n\nFor Claude:\n\n${block('x')}\n\nFor Cursor:\n\n${block('x')}\n\nFor others:\n\n${block('y')}\n\n\`\`\`sh\nnpm test\n\`\`\`\n`;
    expect(readImport(text).entries.map(({ fields }) => fields['args'])).toEqual([['x'], ['y']]);
  });

  it.each([
    '[mcp_servers.x]\ncommand = "npx',
    '[mcp_servers.x]\ncommand = ' + '['.repeat(40),
    'mcpServers:\n  x:\n command: npx',
    'mcpServers:\n  x: *other',
    `mcpServers:\n${Array.from({ length: 60 }, (_, at) => `${' '.repeat(at + 1)}x:`).join('\n')}`,
  ])('refuses what is no settings of a server: %s', (text) => {
    expect(() => readImport(text)).toThrowError(
      expect.objectContaining({ code: 'invalid_server' }),
    );
  });

  it('gives no entry a meaning by its name', () => {
    const toml = readImport('[mcp_servers."__proto__"]\ncommand = "npx"\nargs = ["x"]\n');
    expect(toml.entries).toMatchObject([{ name: '__proto__', fields: { command: 'npx' } }]);
    expect(({} as Record<string, unknown>)['command']).toBeUndefined();
  });
});
