import { spawnSync } from 'node:child_process';
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
      expect(stderr).toMatch(/^Cerise needs Node 26 or newer; this is v\d+[^\n]*\n$/);
    },
  );
});
