import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Client } from '#client/client.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Completion } from './line-input.ts';
import type { Draft } from './draft.ts';

const mention = /(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g;

/** Sends the files that a text names with `@`, and tells their ids. A name that is no file stays text. */
export async function uploadMentioned(client: Client, text: string): Promise<string[]> {
  const ids: string[] = [];
  for (const [, quoted, plain = ''] of text.matchAll(mention)) {
    const path = toPath(quoted ?? plain);
    const facts = await stat(path).catch(() => undefined);
    if (!facts && quoted === undefined) continue;
    if (!facts?.isFile())
      throw new CeriseError('file_not_found', say('cli-no-file')`There is no file ${path}.`);
    const file = await openAsBlob(path, { type: '' });
    ids.push((await client.files.upload(file, basename(path))).id);
  }
  return ids;
}

/** Files and folders that begin with what stands behind the `@` before the cursor. */
export async function completePath({ text, cursor }: Draft): Promise<Completion | undefined> {
  const typed = /(?<=^|\s)@(\S*)$/.exec(text.slice(0, cursor))?.[1];
  if (typed === undefined) return undefined;
  const folder = typed.endsWith('/') || typed === '' ? typed : dirname(typed);
  const start = typed.endsWith('/') ? '' : basename(typed);
  const entries = await readdir(toPath(folder || '.'), { withFileTypes: true }).catch(() => []);
  const isHiddenWanted = start.startsWith('.');
  const names = entries
    .filter(({ name }) => name.startsWith(start) && (isHiddenWanted || !name.startsWith('.')))
    .map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .filter((name) => !/[\s"]/.test(name))
    .toSorted();
  const before = typed.slice(0, typed.length - start.length);
  return { from: cursor - typed.length, values: names.map((name) => `${before}${name}`) };
}

function toPath(name: string): string {
  return name === '~' || name.startsWith('~/') ? join(homedir(), name.slice(1)) : resolve(name);
}
