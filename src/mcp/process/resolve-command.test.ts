import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveCommand } from './resolve-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'cerise-commands-'));
const empty = join(folder, 'empty');
mkdirSync(empty);

/** Makes an executable file. */
function program(path: string, text = '#!/bin/sh\n'): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

function resolve(
  command: string,
  environment: Record<string, string>,
  more: { env?: Record<string, string>; hostEnvironment?: NodeJS.ProcessEnv } = {},
) {
  const { env = {}, hostEnvironment = {} } = more;
  const args = ['-y', 'pkg'];
  return resolveCommand({ command, args, env }, { environment, hostEnvironment });
}

describe.skipIf(process.platform === 'win32')('resolveCommand', () => {
  it('finds a command on the PATH and leaves its arguments as they are', async () => {
    const npx = program('bin/npx');
    const environment = { PATH: `${empty}:${dirname(npx)}` };
    expect(await resolve('npx', environment)).toEqual({
      file: npx,
      args: ['-y', 'pkg'],
      environment,
    });
  });

  it('takes a path as it is', async () => {
    expect(await resolve('./run', {})).toMatchObject({ file: './run', args: ['-y', 'pkg'] });
  });

  it("looks on the login shell's PATH and gives that to the process too", async () => {
    const tool = program('login/tool');
    const print = `#!/bin/sh\nPATH=${dirname(tool)}:/usr/bin:/bin\neval "$2"\n`;
    const environment = { PATH: empty, SHELL: program('shells/login', print) };
    const launch = await resolve('tool', environment);
    expect(launch).toMatchObject({ file: tool, note: expect.stringContaining('login shell') });
    expect(launch.environment['PATH']).toBe(`${empty}:${dirname(tool)}:/usr/bin:/bin`);
    const own = resolve('tool', environment, { env: { PATH: empty } });
    await expect(own).rejects.toMatchObject({ code: 'command_not_found' });
  });

  it("stands in with npm's own npx, run by our Node, where no npx is installed", async () => {
    const running = program('npm/bin/npm-cli.js');
    const script = program('npm/bin/npx-cli.js');
    const hostEnvironment = { npm_execpath: running };
    expect(await resolve('npx', { PATH: empty }, { hostEnvironment })).toEqual({
      file: process.execPath,
      args: [script, '-y', 'pkg'],
      environment: { PATH: `${empty}:${dirname(process.execPath)}` },
      note: expect.stringContaining(script),
    });
  });

  it('stands in with our own Node and with uv tool run', async () => {
    expect(await resolve('node', { PATH: empty })).toMatchObject({ file: process.execPath });
    const uv = program('uv-only/uv');
    expect(await resolve('uvx', { PATH: dirname(uv) })).toMatchObject({
      file: uv,
      args: ['tool', 'run', '-y', 'pkg'],
    });
  });

  it.each([
    ['uvx', /Install uv/],
    ['python3', /Install Python/],
    ['docker', /Install Docker/],
    ['whatever', /full path/],
  ])('says how to get %s where it cannot be had', async (command, hint) => {
    await expect(resolve(command, { PATH: empty })).rejects.toMatchObject({
      code: 'command_not_found',
      message: `The command ${command} wasn't found.`,
      hint: expect.stringMatching(hint),
    });
  });
});
