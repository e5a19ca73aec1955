import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import { adoptNextKey, draftNextKey } from '#store/configuration/key-file.ts';
import { resealProviders } from '#store/configuration/providers.ts';
import { resealRecordKey } from '#store/configuration/record-key.ts';
import {
  createSecretBox,
  openSecretBox,
  parseKey,
  replaceCheck,
  verifySecretKey,
} from '#store/configuration/secrets.ts';
import { resealServers } from '#store/configuration/servers.ts';
import { findDead, listInstances } from '#store/conversations/leases.ts';
import { type Db, type Store } from '#store/database/store.ts';
import { openStore } from '#store/open-store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { resealCredentials } from '#store/people/credentials.ts';
import { resealSettings } from '../models/settings.ts';
import { resealFlows } from '../people/oidc.ts';

/** Whose secrets are sealed again. */
interface RotationPlace {
  home: string;
  databaseUrl?: string | undefined;
  /** The present key; absent: the key file. */
  secretKey?: string | undefined;
}

/** What a change of the key did. */
export interface RotationReport {
  /** Servers, vendors, sign-ins and settings whose secrets were sealed again. */
  records: number;
  /** Where the new key is now. */
  keptIn: 'file' | 'setting';
  /** The data were sealed with the new key before. */
  wasDone: boolean;
}

/** Everything that seals; each seals all of its own with another key. */
const places = [
  resealServers,
  resealProviders,
  resealCredentials,
  resealSettings,
  resealFlows,
  resealRecordKey,
];

/**
 * Seals every stored secret with another key: `newKey`, or a new key file. All of it or nothing: a key
 * file is durable before the data need it, and takes the place of the old one after that; a start ends
 * what was cut in between. No host may run. Throws CeriseError `wrong_key`, `data_in_use`, `bad_setting`.
 */
export async function rotateSecrets(
  place: RotationPlace,
  newKey: string | undefined,
): Promise<RotationReport> {
  const given = newKey && createSecretBox(await parseKey(newKey, 'CERISE_NEW_SECRET_KEY'));
  const store = await openStore(place);
  try {
    if (store.dialect === 'postgres') await refuseRunning(store);
    const from = await openPresent(store, place, given || undefined);
    if (from === 'done') return { records: 0, keptIn: 'setting', wasDone: true };
    const to = given || createSecretBox(await draftNextKey(place.home));
    const records = await store.transaction((tx) => resealAll(tx, from, to));
    if (!given) await adoptNextKey(place.home);
    return { records, keptIn: given ? 'setting' : 'file', wasDone: false };
  } finally {
    await store.close();
  }
}

async function resealAll(tx: Db, from: SecretBox, to: SecretBox): Promise<number> {
  let records = 0;
  for (const reseal of places) records += await reseal(tx, from, to);
  await replaceCheck(tx, to);
  await insertAudit(tx, { owner: '', action: 'secrets.rotate', subject: '', details: { records } });
  return records;
}

/** The box of the present key, or that the data are sealed with the new one already. */
async function openPresent(
  store: Store,
  place: RotationPlace,
  given: SecretBox | undefined,
): Promise<SecretBox | 'done'> {
  try {
    return await openSecretBox(store.db, place);
  } catch (error) {
    if (!given || !isWrongKey(error)) throw error;
    await verifySecretKey(store.db, given).catch(() => {
      throw error;
    });
    return 'done';
  }
}

function isWrongKey(error: unknown): boolean {
  return error instanceof CeriseError && error.code === 'wrong_key';
}

/** On SQLite the data folder itself is locked. */
async function refuseRunning({ db }: Store): Promise<void> {
  const known = [...(await listInstances(db))];
  const dead = await findDead(db, known);
  const running = known.filter((instance) => !dead.has(instance)).length;
  if (running === 0) return;
  throw new CeriseError(
    'data_in_use',
    say('instances-running')`Cerise is still running on this database (instances: ${running}).`,
    {
      hint: say(
        'instances-running-hint',
      )`Stop every instance first. It takes a few seconds to detect that an instance was killed.`,
    },
  );
}
