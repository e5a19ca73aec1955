import { basename, sep } from 'node:path';

/** How a command of this program is written where this one was started, so that it can be typed as printed. */
export function programName(
  script = process.argv[1] ?? '',
  env: NodeJS.ProcessEnv = process.env,
): string {
  const isLocal = script.includes(`${sep}node_modules${sep}.bin${sep}`);
  if (isLocal || env['npm_execpath']) return 'npx cerise';
  return basename(script) === 'cerise' ? 'cerise' : `node ${script}`;
}
