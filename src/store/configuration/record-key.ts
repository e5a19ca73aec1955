import { randomBytes } from 'node:crypto';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import { damagedRecord, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import { keyBytes } from './key-file.ts';
import { getSetting, setSetting } from './settings.ts';

const ofHost = '';
const settingKey = 'record-key';

/**
 * The key that records are sealed with. It is made on first use and sealed with the key of the host, so that another
 * key of the host leaves the records as they are.
 */
export async function loadRecordKey(db: Db, box: SecretBox): Promise<Buffer> {
  const value = toJson(box.seal(randomBytes(keyBytes).toString('base64'), settingKey));
  await db
    .insertInto('settings')
    .values({ owner: ofHost, key: settingKey, value, updated_at: Date.now() })
    .onConflict((conflict) => conflict.columns(['owner', 'key']).doNothing())
    .execute();
  const sealed = await getSetting(db, ofHost, settingKey);
  if (typeof sealed !== 'string') throw damagedRecord(new Error('The key of records is missing'));
  return Buffer.from(box.open(sealed, settingKey), 'base64');
}

/** Seals that key with another key of ours. How many there are. */
export async function resealRecordKey(tx: Db, from: SecretBox, to: SecretBox): Promise<number> {
  const sealed = await getSetting(tx, ofHost, settingKey);
  if (typeof sealed !== 'string') return 0;
  await setSetting(tx, ofHost, settingKey, to.seal(from.open(sealed, settingKey), settingKey));
  return 1;
}
