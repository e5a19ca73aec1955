import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { say } from '#shared/errors/sentence.ts';
import { fullAccess, type ServerAccess } from '#shared/vocabulary/server-access.ts';
import type { Command, Option } from './command.ts';
import { wrongUse } from './options.ts';

/** What `add` and `edit` say of what a local server may reach. */
export const accessOptions = {
  files: {
    type: 'string',
    value: 'own|everything',
    help: say('cli-access-files')`Let it see only its own folder, or everything`,
  },
  read: {
    type: 'string',
    multiple: true,
    value: 'FOLDER',
    help: say('cli-access-read')`Also let it read this folder; repeatable`,
  },
  write: {
    type: 'string',
    multiple: true,
    value: 'FOLDER',
    help: say('cli-access-write')`Also let it read and write this folder; repeatable`,
  },
  network: {
    type: 'boolean',
    help: say('cli-access-network')`Let it use the network`,
  },
} as const satisfies Record<string, Option>;

interface AccessValues {
  files?: string | undefined;
  read?: string[] | undefined;
  write?: string[] | undefined;
  network?: boolean | undefined;
}

/** What the server may reach, if anything is said of it; the rest stays as it is `now`. */
export function readAccess(
  { files, read = [], write = [], network }: AccessValues,
  command: Command,
  now: ServerAccess = fullAccess,
): { access?: ServerAccess } {
  const folders = [
    ...read.map((path) => ({ path: realFolder(path) })),
    ...write.map((path) => ({ path: realFolder(path), write: true })),
  ];
  if (folders.length === 0 && files === undefined && network === undefined) return {};
  if (files !== undefined && (folders.length > 0 || (files !== 'own' && files !== 'everything')))
    throw wrongUse(
      say(
        'cli-files-how',
      )`Use --files own, --files everything, or --read and --write with folders.`,
      command,
    );
  const access = { ...now, ...(network !== undefined && { network }) };
  if (folders.length > 0) return { access: { ...access, files: { folders } } };
  return {
    access: { ...access, ...(files !== undefined && { files }) },
  };
}

/** A folder as it is approved: with its whole path, through no link. */
function realFolder(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) ? realpathSync(whole) : whole;
}
