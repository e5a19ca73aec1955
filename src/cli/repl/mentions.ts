import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Client } from '#client/client.ts';
import { fileType } from '#client/drafts/file-type.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Completion } from './line-input.ts';
import type { Draft } from './draft.ts';
import { offeredResources, readOffered } from './server-offers.ts';

const mention = /(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g;

/** What a text names with `@`: the ids of the files, and the servers that some of them came from. */
export interface Mentioned {
  files: string[];
  quotes: { server: string }[];
}

/** Sends the files and resources that a text names with `@`. A name that is neither stays text. */
export async function uploadMentioned(client: Client, text: string): Promise<Mentioned> {
  const mentioned: Mentioned = { files: [], quotes: [] };
  const upload = async (file: Blob, name: string) =>
    void mentioned.files.push((await client.files.upload(file, name)).id);
  for (const [, quoted, word = ''] of text.matchAll(mention)) {
    const path = quoted === undefined ? await existing(word) : toPath(quoted);
    if (path !== undefined) {
      const isFile = (await stat(path).catch(() => undefined))?.isFile();
      if (!isFile)
        throw new CeriseError('file_not_found', say('cli-no-file')`There is no file ${path}.`);
      const name = basename(path);
      await upload(await openAsBlob(path, { type: fileType({ name, type: '' }) }), name);
      continue;
    }
    const resource = await readOffered(client, withoutStop(word));
    for (const file of resource?.files ?? []) await upload(file, file.name);
    if (resource) mentioned.quotes.push({ server: resource.server.id });
  }
  return mentioned;
}

/** What there is under a name, also where the sentence goes on or ends behind it. */
async function existing(word: string): Promise<string | undefined> {
  for (const path of new Set([word, withoutStop(word)].map(toPath)))
    if (await stat(path).catch(() => undefined)) return path;
  return undefined;
}

function withoutStop(word: string): string {
  return word.replace(/[.,;:!?)\]}'"。，、；：！？）】》”’]+$/u, '');
}

/** Files, folders and resources that begin with what stands behind the `@` before the cursor. */
export async function completeMention(
  { text, cursor }: Draft,
  client: Client | undefined,
): Promise<Completion | undefined> {
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
  const paths = names.map((name) => `${before}${name}`);
  const isPath = paths.length > 0 || /^[.~/]/.test(typed);
  const resources = client && !isPath ? await offeredResources(client, typed) : [];
  return { from: cursor - typed.length, values: [...paths, ...resources] };
}

function toPath(name: string): string {
  return name === '~' || name.startsWith('~/') ? join(homedir(), name.slice(1)) : resolve(name);
}
