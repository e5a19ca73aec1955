import type { StdioConfig } from '#shared/vocabulary/server.ts';

/** The package that a command fetches and runs, and whether its version is fixed. */
export interface RunPackage {
  name: string;
  fixed: boolean;
}

/** Options of these programs that are followed by a value of their own. */
const withValue = new Set([
  '-p',
  '--package',
  '--from',
  '--python',
  '--with',
  '-e',
  '-v',
  '--name',
]);

/** The package behind `npx`, `uvx` and the like; undefined for other commands. */
export function packageOf(config: Pick<StdioConfig, 'command' | 'args'>): RunPackage | undefined {
  const program = config.command.replace(/^.*[/\\]/, '').replace(/\.(?:cmd|exe)$/i, '');
  const args = [...config.args];
  if (program === 'pnpm' || program === 'yarn') {
    if (args.shift() !== 'dlx') return undefined;
  } else if (!['npx', 'bunx', 'uvx', 'pipx'].includes(program)) return undefined;
  if (program === 'pipx' && args.shift() !== 'run') return undefined;
  const name = named(args);
  if (name === undefined) return undefined;
  return { name, fixed: /.[@=]=?v?\d+\.\d+\.\d+/.test(name) };
}

function named(args: string[]): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (['-p', '--package', '--from'].includes(word)) return args[at + 1];
    const joined = /^--(?:package|from)=(.+)$/.exec(word)?.[1];
    if (joined !== undefined) return joined;
    if (withValue.has(word)) at += 1;
    else if (!word.startsWith('-')) return word;
  }
  return undefined;
}
