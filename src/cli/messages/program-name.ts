import { basename, sep } from 'node:path';

/** The same for everyone who opens the page: without paths of this machine. */
export function publicName(name = programName()): string {
  return name === 'cerise' ? name : 'npx cerise';
}

/** How a command of this program is written where this one was started, so that it can be typed as printed. */
export function programName(
  script = process.argv[1] ?? '',
  env: NodeJS.ProcessEnv = process.env,
): string {
  const isLocal = script.includes(`${sep}node_modules${sep}.bin${sep}`);
  if (isLocal || env['npm_execpath']) return 'npx cerise';
  return basename(script) === 'cerise' ? 'cerise' : `node ${script}`;
}
