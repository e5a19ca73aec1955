import { describe, expect, it } from 'vitest';
import { run } from '../../../test/fixtures/cerise-in-process.ts';
import { programName } from '../messages/program-name.ts';
import { commands } from './commands.ts';
import { mcpCommands } from './mcp-commands.ts';
import type { Command } from './command.ts';
import { optionalFields, schemaFields } from './server-fields.ts';

const all: Command[] = [...Object.values(commands), ...Object.values(mcpCommands)];
/** Help needs no settings that are right. */
const broken = { CERISE_PORT: 'none' };

describe('the help of every command', () => {
  it.each(all.map((command) => [command.name, command] as const))(
    '%s says what it does, its usage, its options and an example',
    async (name, { does, options, example }) => {
      const { code, stdout, stderr } = await run([...name.split(' '), '--help'], broken);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.split('\n')[0]).toBe(does.text);
      expect(stdout).toContain(`Usage:\n  ${programName()} ${name}`);
      expect(stdout).toContain(`Example:\n  ${programName()} ${example}\n`);
      for (const [option, { help }] of Object.entries(options)) {
        expect(stdout).toMatch(new RegExp(`^  --(?:\\[no-\\])?${option}[ \\n]`, 'm'));
        expect(stdout).toContain(help.text);
      }
      const short = await run([...name.split(' '), '-h'], broken);
      expect(short).toEqual({ code, stdout, stderr });
      const before = await run(['help', ...name.split(' ')], broken);
      expect(before).toEqual({ code, stdout, stderr });
      const chinese = await run([...name.split(' '), '--help'], { ...broken, CERISE_LANG: 'zh' });
      expect(chinese.stdout).toMatch(/^[^\n]*\p{Script=Han}[^\n]*\n\n用法[^]*选项[^]*示例/u);
      expect(chinese.stdout).not.toContain(does.text);
    },
  );

  it.each(all.map((command) => [command.name, command] as const))(
    '%s refuses an unknown option with its usage',
    async (name) => {
      const { code, stdout, stderr } = await run([...name.split(' '), '--frobnicate']);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^cerise: Unknown option: --frobnicate[^\n]*\n$/);
      expect(stderr).toContain(`Usage: ${programName()} ${name}`);
    },
  );

  it('lists all of them', async () => {
    const [top, mcp] = [await run(['-h'], broken), await run(['mcp', '-h'], broken)];
    for (const { name, does } of all)
      expect((name.startsWith('mcp ') ? mcp : top).stdout).toMatch(
        new RegExp(`cerise ${name}\\b[^\\n]*\\n?[^\\n]*${RegExp.escape(does.text)}`),
      );
  });

  it('is told for the first word of a command, too', async () => {
    for (const [first, whole] of [
      ['secrets', 'secrets rotate'],
      ['tools', 'tools export'],
    ] as const) {
      const { code, stdout } = await run([first, '--help']);
      expect([code, stdout]).toEqual([0, (await run([...whole.split(' '), '--help'])).stdout]);
    }
  });

  it('leaves alone what comes after --', async () => {
    const { code, stdout } = await run(['mcp', 'add', '--', 'x', '--help']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('the options of a server', () => {
  it('are there for every field of its schema', () => {
    // Words and options of their own, the servers of Cerise, and what an installation sets.
    const others = ['command', 'args', 'access', 'builtin', 'bundle'];
    expect([...optionalFields, ...others].toSorted()).toEqual(Object.keys(schemaFields).toSorted());
  });
});
