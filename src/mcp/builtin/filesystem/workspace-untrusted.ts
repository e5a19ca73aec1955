import { lstat, realpath } from 'node:fs/promises';
import { CeriseError } from '#shared/errors/errors.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { ProvenancePort } from '#shared/vocabulary/ports.ts';
import { maxTextBytes } from './filesystem-read.ts';
import { descend } from './filesystem-search.ts';
import { isThere, readInside, displayPath } from './workspace-files.ts';
import { contentKey, nameKey, WorkspaceWords } from './workspace-words.ts';

/** So much of a workspace is looked at in one go: entries, and bytes of their contents. */
const maxEntries = 5000;
const maxBytes = 256 * 1024 * 1024;
const atOnce = 200;

/** Words in a workspace that are not known to be trusted. */
export interface UntrustedWords {
  key: string;
  kind: 'content' | 'name';
  path: string;
  origins: Origin[];
}

/** Looks through a workspace for contents and names that nobody trusted is known to have written. */
export async function findUntrustedWords(
  folder: string,
  provenance: ProvenancePort,
  most: number,
): Promise<{ found: UntrustedWords[]; complete: boolean }> {
  const words = new WorkspaceWords(provenance);
  const found: UntrustedWords[] = [];
  let looked: Omit<UntrustedWords, 'origins'>[] = [];
  const judge = async () => {
    const untrusted = await words.untrusted(looked.map(({ key }) => key));
    for (const each of looked) {
      const origins = untrusted.get(each.key);
      if (origins) found.push({ ...each, origins });
    }
    looked = [];
  };
  const budget = { entries: maxEntries, bytes: maxBytes };
  for await (const path of entriesOf(folder)) {
    budget.entries -= 1;
    looked.push({ kind: 'name', path, key: nameKey(path.split('/').at(-1) ?? '') });
    const key = await keyOfContent(folder, path, budget);
    if (key !== undefined) looked.push({ kind: 'content', path, key });
    if (looked.length >= atOnce) await judge();
    const isOver = budget.entries <= 0 || budget.bytes <= 0 || found.length >= most;
    if (isOver) return { found: found.slice(0, most), complete: false };
  }
  await judge();
  return { found: found.slice(0, most), complete: found.length <= most };
}

async function* entriesOf(folder: string): AsyncGenerator<string> {
  if (!(await isThere(folder))) return;
  const root = await realpath(folder);
  for await (const { path } of descend(root)) yield displayPath(root, path);
}

/** Undefined for what no tool reads: folders, links, what is too large or gone in the meantime. */
async function keyOfContent(
  folder: string,
  path: string,
  budget: { bytes: number },
): Promise<string | undefined> {
  try {
    const { size } = await lstat(`${folder}/${path}`);
    if (size > maxTextBytes) return undefined;
    budget.bytes -= size;
    return await contentKey(await readInside(folder, path, maxTextBytes));
  } catch (error) {
    if (error instanceof CeriseError || systemCode(error) !== undefined) return undefined;
    throw error;
  }
}
