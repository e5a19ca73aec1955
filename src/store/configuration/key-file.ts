import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { syncFolder } from '../blobs/blob-disk.ts';
import { makeDataFolder } from '../database/data-folder.ts';

/** Bytes of a key. */
export const keyBytes = 32;

const present = (home: string) => join(home, 'secret.key');
/** The key that is to take the place of the present one as soon as everything is sealed with it. */
const next = (home: string) => join(home, 'secret.key.next');

/** The key in `secret.key`, made with mode 0600 if there is none. */
export async function loadKeyFile(home: string): Promise<Buffer> {
  return usable(present(home), async (file) => {
    const key = await readKey(file);
    if (key) return key;
    makeDataFolder(home);
    await writeKey(file, randomBytes(keyBytes).toString('base64'));
    const made = await readKey(file);
    if (made) return made;
    throw new Error('it was removed while it was being made');
  });
}

/** Makes a key beside the present one; durable when it resolves. */
export async function draftNextKey(home: string): Promise<Buffer> {
  return usable(next(home), async (file) => {
    await writeKey(file, randomBytes(keyBytes).toString('base64'));
    await syncFolder(home);
    const made = await readKey(file);
    if (made) return made;
    throw new Error('it was removed while it was being made');
  });
}

/** Puts the drafted key in the place of the present one. */
export async function adoptNextKey(home: string): Promise<void> {
  await usable(next(home), async (file) => {
    await rename(file, present(home));
    await syncFolder(home);
  });
}

/**
 * Ends a change of the key that was cut: of two key files the one stays that `opens` the data. Where
 * neither does, both stay.
 */
export async function settleKeyFiles(
  home: string,
  opens: (key: Buffer) => Promise<boolean>,
): Promise<void> {
  await usable(next(home), async (file) => {
    const drafted = await readKey(file);
    if (!drafted) return;
    if (await opens(drafted)) return adoptNextKey(home);
    const key = await readKey(present(home));
    if (key && (await opens(key))) await rm(file);
  });
}

async function usable<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } catch (error) {
    if (error instanceof CeriseError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CeriseError(
      'data_unreadable',
      say('key-file-unusable')`The key file ${file} can't be used: ${why}`,
      {
        hint: say('key-file-hint')`Check its permissions, or set CERISE_SECRET_KEY.`,
        cause: error,
      },
    );
  }
}

async function readKey(file: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  await chmod(file, 0o600);
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes) throw new Error('it does not hold a key');
  return key;
}

/** Whole or not at all, and never over a key that another process made in the meantime. */
async function writeKey(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
}
