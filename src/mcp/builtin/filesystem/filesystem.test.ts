import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, connectClient, testContext } from '../../../../test/fakes/builtin-client.ts';
import { createFilesystemServer } from './filesystem.ts';

let base: string;
let workspace: string;
let client: Client;
const call: (name: string, args?: Record<string, unknown>) => ReturnType<typeof callTool> = (
  name,
  args,
) => callTool(client, name, args);

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'cerise-files-'));
  workspace = join(base, 'workspace');
  await writeFile(join(base, 'secret.txt'), 'canary');
  client = await connectClient(await createFilesystemServer(testContext({ workspace })));
});
afterEach(async () => {
  await client.close();
  await rm(base, { recursive: true, force: true });
});

describe('reading', () => {
  it('lists folders with kinds and sizes', async () => {
    const { text, structured } = await call('list_directory');
    expect(text).toContain('[DIR]  data/');
    expect(text).toMatch(/\[FILE\] welcome\.md \(\d+ bytes\)/);
    expect(structured).toMatchObject({
      entries: expect.arrayContaining([
        { name: 'notes', type: 'directory' },
        { name: '说明.md', type: 'file', size: expect.any(Number) },
      ]),
    });
    expect((await call('list_directory', { path: '/' })).text).toBe(text);
    expect((await call('list_directory', { path: workspace })).text).toBe(text);
  });

  it.each([
    [{}, 'a\nb\nc\nd\n'],
    [{ head: 2 }, 'a\nb\n[Lines 1 to 2 of 4]'],
    [{ tail: 1 }, 'd\n[Lines 4 to 4 of 4]'],
    [{ start_line: 2, end_line: 3 }, 'b\nc\n[Lines 2 to 3 of 4]'],
    [{ start_line: 3 }, 'c\nd\n[Lines 3 to 4 of 4]'],
    [{ head: 99 }, 'a\nb\nc\nd\n'],
  ])('reads lines %o', async (range, expected) => {
    await writeFile(join(workspace, 'abc.txt'), 'a\nb\nc\nd\n');
    expect((await call('read_text_file', { path: 'abc.txt', ...range })).text).toBe(expected);
  });

  it('cuts long text and says where to read on', async () => {
    await writeFile(join(workspace, 'long.txt'), 'x'.repeat(99) + '\n' + 'line\n'.repeat(100_000));
    const { text } = await call('read_text_file', { path: 'long.txt' });
    expect(text.length).toBeLessThan(201_000);
    expect(text).toMatch(/Read on with start_line \d+\.\]$/);
  });

  it('refuses binary and huge files with a sentence', async () => {
    await writeFile(join(workspace, 'nul.bin'), Buffer.from([65, 0, 66]));
    await writeFile(join(workspace, 'latin.txt'), Buffer.from([0xe9, 0x20]));
    await writeFile(join(workspace, 'huge.txt'), Buffer.alloc(11 * 1024 * 1024, 65));
    expect((await call('read_text_file', { path: 'nul.bin' })).text).toContain('read_media_file');
    expect((await call('read_text_file', { path: 'latin.txt' })).isError).toBe(true);
    expect((await call('read_text_file', { path: 'huge.txt' })).text).toContain('10 MiB');
    expect((await call('read_text_file', { path: 'notes' })).text).toContain('is a folder');
  });

  it('returns media as what they are', async () => {
    await writeFile(join(workspace, 'a.PNG'), 'png');
    await writeFile(join(workspace, 'b.wav'), 'wav');
    expect((await call('read_media_file', { path: 'a.PNG' })).types).toEqual(['image']);
    expect((await call('read_media_file', { path: 'b.wav' })).types).toEqual(['audio']);
    expect((await call('read_media_file', { path: 'welcome.md' })).types).toEqual(['resource']);
  });

  it('tells about a file, and that there is none, without paths of the host', async () => {
    const info = await call('get_file_info', { path: 'notes/../welcome.md' });
    expect(info.structured).toMatchObject({ path: 'welcome.md', type: 'file' });
    const missing = await call('get_file_info', { path: 'nope/x' });
    expect(missing.isError).toBe(true);
    expect(missing.text).toBe('nope/x: there is no such file or folder in the workspace.');
  });

  it('searches by name, pattern and text', async () => {
    const found = async (args: Record<string, unknown>): Promise<string> =>
      (await call('search_files', args)).text;
    expect(await found({ pattern: '*.csv' })).toBe('data/planets.csv');
    expect(await found({ pattern: 'SHOP' })).toBe('notes/shopping.txt');
    expect(await found({ pattern: 'notes/**' })).toContain('notes/ideas.md');
    expect(await found({ path: 'notes', pattern: '*' })).toBe('notes/ideas.md\nnotes/shopping.txt');
    expect(await found({ text: 'cherries' })).toContain('notes/shopping.txt: Cherries');
    expect(await found({ text: '购物清单' })).toContain('说明.md');
    expect(await found({ pattern: 'nothing-like-this' })).toBe('No matches found.');
  });

  it('shows the tree', async () => {
    const { text } = await call('directory_tree');
    expect(text).toContain('notes/\n  ideas.md\n  shopping.txt');
    expect((await call('directory_tree', { depth: 1 })).text).not.toContain('shopping');
  });
});

describe('writing', () => {
  const read = (path: string): Promise<string> => readFile(join(workspace, path), 'utf8');

  it('writes whole files with the folders above, and leaves nothing else behind', async () => {
    const { text } = await call('write_file', { path: 'new/deep/清单.txt', content: '樱桃' });
    expect(text).toBe('Wrote 6 bytes to new/deep/清单.txt.');
    await call('write_file', { path: 'new/deep/清单.txt', content: 'x' });
    expect(await read('new/deep/清单.txt')).toBe('x');
    expect(await readdir(join(workspace, 'new/deep'))).toEqual(['清单.txt']);
    expect((await call('write_file', { path: 'notes', content: '' })).isError).toBe(true);
    expect((await call('write_file', { path: 'welcome.md/x', content: '' })).isError).toBe(true);
    const large = { path: 'large', content: 'x'.repeat(6 * 1024 * 1024) };
    expect((await call('write_file', large)).text).toContain('5 MiB');
  });

  it('edits all or nothing', async () => {
    const edit = (edits: unknown, dryRun = false): ReturnType<typeof callTool> =>
      call('edit_file', { path: 'notes/shopping.txt', edits, dryRun });
    const milk = { oldText: 'Coffee', newText: 'Coffee\nMilk for $& $1' };
    expect((await edit([milk], true)).text).toContain('@@ line 3 @@\n- Coffee\n+ Coffee\n+ Milk');
    expect(await read('notes/shopping.txt')).not.toContain('Milk');
    const failed = await edit([milk, { oldText: 'Caviar', newText: '' }]);
    expect(failed.text).toContain('"Caviar" wasn\'t found');
    expect((await edit([{ oldText: 'e', newText: '' }])).text).toContain('more than once');
    expect(await read('notes/shopping.txt')).not.toContain('Milk');
    await edit([milk]);
    expect(await read('notes/shopping.txt')).toContain('Coffee\nMilk for $& $1\nSoap');
  });

  it('keeps every one of many edits at once', async () => {
    await writeFile(
      join(workspace, 'n.txt'),
      Array.from({ length: 20 }, (_, index) => `<${index}>`).join(),
    );
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call('edit_file', { path: 'n.txt', edits: [{ oldText: `<${index}>`, newText: 'ok' }] }),
      ),
    );
    expect(await read('n.txt')).toBe(Array.from({ length: 20 }, () => 'ok').join());
  });

  it('moves without replacing, and deletes', async () => {
    await call('move_file', { source: 'welcome.md', destination: 'old/hello.md' });
    expect(await read('old/hello.md')).toContain('# Welcome');
    const taken = { source: 'old/hello.md', destination: 'notes/ideas.md' };
    expect((await call('move_file', taken)).text).toContain('already exists');
    const inItself = { source: 'notes', destination: 'notes/inner' };
    expect((await call('move_file', inItself)).text).toContain('into itself');
    expect((await call('delete_file', { path: 'old' })).text).toContain("isn't empty");
    expect((await call('delete_file', { path: 'old/hello.md' })).isError).toBe(false);
    expect((await call('delete_file', { path: 'old' })).isError).toBe(false);
    expect((await call('delete_file', { path: 'notes', recursive: true })).isError).toBe(false);
    expect((await readdir(workspace)).sort()).toEqual(['data', '说明.md']);
  });

  it('makes folders', async () => {
    expect((await call('create_directory', { path: 'a/b/c' })).isError).toBe(false);
    expect((await call('create_directory', { path: 'a/b/c' })).isError).toBe(false);
    expect((await call('create_directory', { path: 'welcome.md' })).isError).toBe(true);
  });

  it('never touches the workspace folder itself', async () => {
    for (const path of ['.', '/', 'notes/..']) {
      expect((await call('delete_file', { path, recursive: true })).isError).toBe(true);
      expect((await call('move_file', { source: path, destination: 'x' })).isError).toBe(true);
    }
    expect(await readdir(workspace)).toContain('welcome.md');
  });
});

describe('the borders of the workspace', () => {
  const everyTool = (path: string): [string, Record<string, unknown>][] => [
    ['read_text_file', { path }],
    ['read_media_file', { path }],
    ['get_file_info', { path }],
    ['list_directory', { path }],
    ['directory_tree', { path }],
    ['search_files', { path, text: 'canary' }],
    ['write_file', { path, content: 'hit' }],
    ['edit_file', { path, edits: [{ oldText: 'canary', newText: 'hit' }] }],
    ['create_directory', { path }],
    ['move_file', { source: path, destination: 'stolen' }],
    ['move_file', { source: 'welcome.md', destination: path }],
    ['delete_file', { path, recursive: true }],
  ];

  const untouched = async (): Promise<void> => {
    expect(await readFile(join(base, 'secret.txt'), 'utf8')).toBe('canary');
    expect((await readdir(base)).sort()).toEqual(['secret.txt', 'workspace']);
    expect(await readdir(workspace)).not.toContain('stolen');
  };

  it.each(['../secret.txt', 'notes/../../secret.txt', '..', '/etc/passwd', '//etc/passwd', 'a\0b'])(
    'no tool gets to %j',
    async (path) => {
      for (const [tool, args] of everyTool(path)) {
        const { isError, text } = await call(tool, args);
        expect(isError, tool).toBe(true);
        expect(text).not.toContain('canary');
      }
      await untouched();
    },
  );

  it('no tool gets to an absolute path or a neighbour whose name begins alike', async () => {
    await mkdir(`${workspace}-2`);
    await writeFile(join(`${workspace}-2`, 'x'), 'canary');
    for (const path of [join(base, 'secret.txt'), `${workspace}-2/x`, '../workspace-2/x']) {
      for (const [tool, args] of everyTool(path)) {
        expect((await call(tool, args)).isError, `${tool} ${path}`).toBe(true);
      }
    }
    expect(await readFile(join(`${workspace}-2`, 'x'), 'utf8')).toBe('canary');
  });

  it('no tool follows a link out, be it the last part, a folder on the way or a chain', async () => {
    await symlink(join(base, 'secret.txt'), join(workspace, 'file-link'));
    await symlink(base, join(workspace, 'folder-link'));
    await symlink('folder-link', join(workspace, 'chain'));
    const follow = new Set([
      'read_text_file',
      'read_media_file',
      'get_file_info',
      'write_file',
      'edit_file',
    ]);
    for (const path of ['file-link', 'folder-link/secret.txt', 'chain/secret.txt']) {
      for (const [tool, args] of everyTool(path)) {
        if (path === 'file-link' && !follow.has(tool)) continue;
        const { isError, text } = await call(tool, args);
        expect(isError, `${tool} ${path}`).toBe(true);
        expect(text).not.toContain('canary');
      }
    }
    for (const path of ['folder-link', 'chain']) {
      for (const tool of ['list_directory', 'directory_tree', 'search_files']) {
        expect((await call(tool, { path })).isError).toBe(true);
      }
    }
    const made = { path: 'folder-link/made', content: 'x' };
    expect((await call('write_file', made)).isError).toBe(true);
    expect((await call('create_directory', { path: 'chain/made' })).isError).toBe(true);
    await untouched();
  });

  it('walks past links, and deletes the link, not what it leads to', async () => {
    await symlink(base, join(workspace, 'up'));
    expect((await call('search_files', { text: 'canary' })).text).toBe('No matches found.');
    expect((await call('directory_tree')).text).not.toContain('secret');
    expect((await call('delete_file', { path: 'up', recursive: true })).isError).toBe(false);
    await untouched();
  });

  it('follows a link that stays inside', async () => {
    await symlink('notes/shopping.txt', join(workspace, 'list'));
    expect((await call('read_text_file', { path: 'list' })).text).toContain('Bread');
    await call('write_file', { path: 'list', content: 'new' });
    expect(await readFile(join(workspace, 'notes/shopping.txt'), 'utf8')).toBe('new');
  });

  it('does not hang on a pipe or read a device', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(workspace, 'pipe')]);
    expect((await call('read_text_file', { path: 'pipe' })).text).toContain("isn't a regular file");
    expect((await call('write_file', { path: 'pipe', content: 'x' })).isError).toBe(true);
    expect((await call('search_files', { text: 'x' })).isError).toBe(false);
  });
});
