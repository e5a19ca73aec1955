import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../test/fixtures/cerise-in-process.ts';
import * as real from '../../test/fixtures/cerise-process.ts';
import { emptyPlace } from '../../test/fixtures/http.ts';
import manifest from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
/** One line that says what to do, without a stack. */
const oneLine = /^cerise: [^\n]+\n$/;

describe('the command', () => {
  it('explains itself', async () => {
    for (const args of [[], ['help'], ['--help']]) {
      const { code, stdout, stderr } = await run(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('cerise serve');
      expect(stdout).toContain('cerise chat');
    }
  });

  it('says how to go on where a chat has no terminal', async () => {
    const { stdout } = await run([]);
    expect(stdout).toMatch(
      /^Chats need an interactive terminal\. .* chat "QUESTION"\. .* serve\n\n/,
    );
    expect(stdout).toMatch(/^ +cerise +Chat in the terminal$/m);
  });

  it('speaks Chinese where the locale does, also of errors of the host', async () => {
    const { home } = await emptyPlace();
    const chinese = { LANG: 'zh_CN.UTF-8', CERISE_HOME: home };
    // One after the other: a process speaks one language at a time.
    const help = await run(['help'], chinese);
    const mcpHelp = await run(['mcp', 'help'], chinese);
    const unknown = await run(['dance'], chinese);
    const none = await run(['restore', join(home, 'none')], chinese);
    const list = await run(['sign-in'], { ...chinese, CERISE_LANG: 'en' });
    expect(help.stdout).toMatch(/cerise serve +启动网页和 API/);
    expect(mcpHelp.stdout).toMatch(/cerise mcp list +列出所有服务器及其状态/);
    expect(unknown.stderr).toMatch(/^cerise: 未知命令：“dance”。/);
    expect(none.stderr).toMatch(/^cerise: 文件 .*none 不存在。请使用 .* backup 制作的文件。\n$/);
    expect(list.stderr).toMatch(/^cerise: Cerise isn't running/);
  });

  it('prints the same JSON in every language', async () => {
    const { home } = await emptyPlace();
    const args = ['mcp', 'tools', 'time', '--json'];
    const english = await run(args, { CERISE_HOME: home });
    const chinese = await run(args, { CERISE_HOME: home, CERISE_LANG: 'zh' });
    expect(JSON.parse(english.stdout)).toHaveProperty('tools');
    expect(chinese.stdout).toBe(english.stdout);
    const table = await run(args.slice(0, 3), { CERISE_HOME: home, CERISE_LANG: 'zh' });
    expect(table.stdout).toMatch(/^工具 +启用 +说明\nget_current_time +是 +返回某个时区/);
    const sum = ['mcp', 'call', 'calculator', 'calculate', '{"expression": "1/0"}'];
    const failed = await run(sum, { CERISE_HOME: home, CERISE_LANG: 'zh' });
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: '无法计算：除数为零。\n' });
    for (const [command, words] of [
      ['search sqlite', /查询和修改 SQLite 数据库。/],
      ['doctor time', /（有握手）[^]*\n\n工作正常。\n$/],
      ['call time get_current_time {"timezone":5}', /timezone：必须是文本$/m],
    ] as const) {
      const told = await run(['mcp', ...command.split(' ')], {
        CERISE_HOME: home,
        CERISE_LANG: 'zh',
      });
      expect(told.stdout + told.stderr).toMatch(words);
    }
  });

  it('says its version', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
  });

  it('has an exit code and streams of its process', async () => {
    const version = await real.run(['--version']);
    expect(version).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
    const { code, stdout, stderr } = await real.run(['dance']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(oneLine);
  });

  it.skipIf(!existsSync('/dev/full'))('says in one line that its output has no room', async () => {
    const full = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
    const args = ['completion', 'bash'];
    const command = real.startCommand(args, {}, 'ignore', undefined, full);
    expect(await command.ended).toBe(1);
    expect(command.stderr()).toBe("cerise: Can't write the output: no space left on device.\n");
  });

  it.each([
    ['an unknown command', ['dance'], 2],
    ['an unknown flag of serve', ['serve', '--port', '1'], 2],
    ['an unknown flag of chat', ['chat', '--frobnicate', 'hi'], 2],
    ['a flag without its value', ['chat', 'hi', '--model'], 2],
    ['no question', ['chat'], 2],
    ['an empty question', ['chat', ' '], 2],
  ])('refuses %s in one line', async (_, args, expected) => {
    const { home } = await emptyPlace();
    const { code, stdout, stderr } = await run(args, { CERISE_HOME: join(home, 'none') });
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(oneLine);
  });

  const system = ['/usr/bin/node', '/usr/local/bin/node'].find((node) =>
    /^v(?:1\d|2[0-5])\./.test(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
  );
  if (!system) process.stderr.write('Not tried: an old Node. This machine has none.\n');
  it.skipIf(system === undefined)(
    'says in one line that an old Node (where the machine has one) is too old',
    async () => {
      const { home } = await emptyPlace();
      await cp(join(root, 'bin'), join(home, 'bin'), { recursive: true });
      await mkdir(join(home, 'src'));
      await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
      const { status, stdout, stderr } = spawnSync(
        system ?? '',
        [join(home, 'bin/cerise.mjs'), 'serve'],
        { encoding: 'utf8' },
      );
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^Cerise needs Node 26\.1 or newer; this is v\d+[^\n]*\n$/);
    },
  );
});
