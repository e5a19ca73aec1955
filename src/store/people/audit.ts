import { randomUUIDv7 } from 'node:crypto';
import { sanitiseText } from '#shared/text/text.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { toJsonOrNull } from '../database/json.ts';
import type { Db } from '../database/store.ts';

/** What was done, by whom, to what. Never holds secrets. */
export interface AuditEntry {
  owner: string;
  action: string;
  /** The id of what it was done to. */
  subject: string;
  details?: JsonObject;
}

export async function insertAudit(db: Db, entry: AuditEntry, at = Date.now()): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      id: randomUUIDv7(),
      owner: entry.owner,
      at,
      action: entry.action,
      subject: sanitiseText(entry.subject),
      details: toJsonOrNull(entry.details),
    })
    .execute();
}
