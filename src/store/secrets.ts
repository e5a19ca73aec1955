import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CeriseError } from '#shared/errors.ts';
import type { SecretBox } from '#shared/ports.ts';
import { makeDataFolder } from './data-folder.ts';
import { getSetting } from './settings.ts';
import { toJson } from './json.ts';
import type { Db } from './store.ts';

const version = 'v1.';
const ivLength = 12;
const tagLength = 16;

/** Seals with AES-256-GCM; `context` is authenticated, so a value cannot be moved to another place. */
export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(plain, context) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return version + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, context) {
      try {
        return decrypt(key, sealed, context);
      } catch (error) {
        throw wrongKey(error);
      }
    },
  };
}

const checkOwner = '';
const checkKey = 'secret-check';
const checkText = 'cerise';

/** Throws `wrong_key` if the data were sealed with another key. The first start leaves a check value. */
export async function verifySecretKey(db: Db, box: SecretBox): Promise<void> {
  const value = toJson(box.seal(checkText, checkKey));
  await db
    .insertInto('settings')
    .values({ owner: checkOwner, key: checkKey, value, updated_at: Date.now() })
    .onConflict((conflict) => conflict.columns(['owner', 'key']).doNothing())
    .execute();
  const sealed = await getSetting(db, checkOwner, checkKey);
  if (typeof sealed !== 'string') throw wrongKey(undefined);
  box.open(sealed, checkKey);
}

function decrypt(key: Buffer, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
  if (!sealed.startsWith(version) || bytes.length < ivLength + tagLength) {
    throw new Error('This is not a sealed value.');
  }
  const iv = bytes.subarray(0, ivLength);
  const tag = bytes.subarray(ivLength, ivLength + tagLength);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  const text = bytes.subarray(ivLength + tagLength);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}

function wrongKey(cause: unknown): CeriseError {
  return new CeriseError('wrong_key', 'Stored secrets cannot be read with this key.', {
    hint: 'Use the CERISE_SECRET_KEY or the file secret.key with which the data were written.',
    cause,
  });
}

const keyLength = 32;
const shortestPassphrase = 16;
/** Fixed, because every instance must come to the same key from the passphrase alone. */
const salt = 'cerise secret key';

/**
 * The key that seals secrets: `CERISE_SECRET_KEY` (32 bytes as hex or base64, or a passphrase of at
 * least 16 characters), or else `secret.key` in `home`, made on first use with mode 0600.
 */
export async function loadSecretKey(
  home: string,
  env: { CERISE_SECRET_KEY?: string | undefined },
): Promise<Buffer> {
  return env.CERISE_SECRET_KEY
    ? await parseKey(env.CERISE_SECRET_KEY)
    : await keyFile(join(home, 'secret.key'), home);
}

async function parseKey(text: string): Promise<Buffer> {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  if (text.length < shortestPassphrase) {
    throw new CeriseError('bad_setting', 'CERISE_SECRET_KEY is too short.', {
      hint: `Give 32 bytes as hex or base64, or a passphrase of at least ${shortestPassphrase} characters.`,
    });
  }
  return (await promisify(scrypt)(text, salt, keyLength)) as Buffer;
}

async function keyFile(file: string, home: string): Promise<Buffer> {
  try {
    const known = await readKey(file);
    if (known) return known;
    makeDataFolder(home);
    await writeKey(file, randomBytes(keyLength).toString('base64'));
    const made = await readKey(file);
    if (made) return made;
    throw new Error('it was removed while it was being made');
  } catch (error) {
    if (error instanceof CeriseError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CeriseError('data_unreadable', `The key file ${file} cannot be used: ${why}`, {
      hint: 'Check its permissions, or set CERISE_SECRET_KEY.',
      cause: error,
    });
  }
}

async function readKey(file: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  await chmod(file, 0o600);
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyLength) throw new Error('it does not hold a key');
  return key;
}

/** Whole or not at all, and never over a key that another process made meanwhile. */
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
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
}
