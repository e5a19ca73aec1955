import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import { damagedRecord, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import { keyBytes, loadKeyFile, settleKeyFiles } from './key-file.ts';
import { getSetting, setSetting } from './settings.ts';

const version = 'v1.';
const ivBytes = 12;
const tagBytes = 16;

/** Seals with AES-256-GCM; `context` is authenticated, so a value cannot be moved to another place. */
export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(plain, context) {
      return version + sealBytes(key, Buffer.from(plain), context).toString('base64url');
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

/** Whether the data were sealed with this key; false where nothing says so. */
async function opensCheck(db: Db, key: Buffer): Promise<boolean> {
  const sealed = await getSetting(db, checkOwner, checkKey);
  if (typeof sealed !== 'string') return false;
  try {
    return decrypt(key, sealed, checkKey) === checkText;
  } catch {
    // Any other key than the right one ends here.
    return false;
  }
}

/** The box of the key that the data are sealed with. Throws `wrong_key` if the given one is another. */
export async function openSecretBox(
  db: Db,
  { home, secretKey }: { home: string; secretKey?: string | undefined },
): Promise<SecretBox> {
  if (!secretKey) await settleKeyFiles(home, (key) => opensCheck(db, key));
  const box = createSecretBox(await loadSecretKey(home, { CERISE_SECRET_KEY: secretKey }));
  await verifySecretKey(db, box);
  return provenBox(box);
}

/** The key is the right one: what it does not open is damaged. Throws `data_unreadable` for that alone. */
function provenBox(box: SecretBox): SecretBox {
  return {
    seal: (plain, context) => box.seal(plain, context),
    open(sealed, context) {
      try {
        return box.open(sealed, context);
      } catch {
        throw damagedRecord(new Error(`${sealed.length} characters that are no secret of ours`));
      }
    },
  };
}

/** Makes another key the one of the data; part of the transaction that seals everything with it. */
export async function replaceCheck(tx: Db, box: SecretBox): Promise<void> {
  await setSetting(tx, checkOwner, checkKey, box.seal(checkText, checkKey));
}

function decrypt(key: Buffer, sealed: string, context: string): string {
  if (!sealed.startsWith(version)) throw new Error('This is not a sealed value.');
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
  return openBytes(key, bytes, context).toString('utf8');
}

/** Seals bytes as a secret box does text. */
export function sealBytes(key: Buffer, plain: Uint8Array, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Throws for bytes that were sealed with another key, for another context, or not at all. */
export function openBytes(key: Buffer, bytes: Uint8Array, context: string): Buffer {
  if (bytes.length < ivBytes + tagBytes) throw new Error('This is not a sealed value.');
  const iv = bytes.subarray(0, ivBytes);
  const tag = bytes.subarray(ivBytes, ivBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
}

function wrongKey(cause: unknown): CeriseError {
  return new CeriseError(
    'wrong_key',
    say('secrets-unreadable')`Stored secrets can't be decrypted with this key.`,
    {
      hint: say(
        'secrets-unreadable-hint',
      )`Use the CERISE_SECRET_KEY or the secret.key file that the data was stored with.`,
      cause,
    },
  );
}

const minPassphraseChars = 16;
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
  return env.CERISE_SECRET_KEY ? await parseKey(env.CERISE_SECRET_KEY) : await loadKeyFile(home);
}

/** A key as a setting writes it. Throws `bad_setting`. */
export async function parseKey(text: string, setting = 'CERISE_SECRET_KEY'): Promise<Buffer> {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  if (text.length < minPassphraseChars) {
    throw new CeriseError('bad_setting', say('secret-key-short')`${setting} is too short.`, {
      hint: say(
        'secret-key-short-hint',
      )`Use 32 bytes as hex or base64, or a passphrase of at least ${minPassphraseChars} characters.`,
    });
  }
  return (await promisify(scrypt)(text, salt, keyBytes)) as Buffer;
}
