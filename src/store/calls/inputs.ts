import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely';
import type { AnswerInput, InputView } from '#shared/api/input-api.ts';
import { fromJson, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import type { Tables } from '../tables/tables.ts';
import { readRows } from '../database/unreadable-rows.ts';

/** A question of a server that waits for a person, or did. */
export interface InputRecord {
  owner: string;
  view: InputView;
  /** The call it is asked for, where there is a row of that. */
  callId?: string;
  /** The process that it ends with; absent: it stays as long as its call is parked. */
  instance?: string;
  /** What was answered, until it is of no use any more. */
  answer?: AnswerInput;
  /** Set once it was answered or taken back. */
  closedAt?: number;
}

/** Keeps a question unless it is there already; resolves with the one that is there. */
export async function keepInput(tx: Db, record: InputRecord): Promise<InputRecord> {
  const { owner, view, callId, instance } = record;
  const row = {
    id: view.id,
    owner,
    call_id: callId ?? null,
    server_id: view.serverId,
    view: toJson(view),
    instance: instance ?? null,
    created_at: view.createdAt,
    expires_at: view.expiresAt ?? null,
    answer: null,
    closed_at: null,
  };
  await tx
    .insertInto('inputs')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const [kept] = await readInputs(tx, [view.id]);
  if (kept?.owner !== owner) throw new Error(`input ${view.id} belongs to somebody else`);
  return kept;
}

/** A question that was asked of its owner, open or not. */
export async function getInput(
  db: Db,
  owner: string,
  id: string,
  now: number,
): Promise<(InputRecord & { isOpen: boolean }) | undefined> {
  const row = await db
    .selectFrom('inputs')
    .selectAll()
    .select((eb) => isOpen(eb, now).as('open'))
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row && { ...toRecord(row), isOpen: Boolean(row.open) };
}

/** Those of the named questions that exist, in no order. */
export async function readInputs(db: Db, ids: readonly string[]): Promise<InputRecord[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('inputs').selectAll().where('id', 'in', ids).execute();
  return rows.map(toRecord);
}

/** The questions that wait for a person, the oldest first. */
export async function listOpenInputs(db: Db, owner: string, now: number): Promise<InputView[]> {
  const rows = await db
    .selectFrom('inputs')
    .select(['id', 'view'])
    .where('owner', '=', owner)
    .where((eb) => isOpen(eb, now))
    .orderBy('created_at')
    .orderBy('id')
    .limit(200)
    .execute();
  return readRows(db, 'inputs', rows, ({ view }) => fromJson(view) as InputView);
}

/** Answers a question if it is open; false, and nothing changed, if not. */
export async function answerInput(
  tx: Db,
  owner: string,
  id: string,
  answer: AnswerInput,
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('inputs')
    .set({ answer: toJson(answer), closed_at: at })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where((eb) => isOpen(eb, at))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Takes a question back, or forgets the answer that was used. */
export async function closeInput(db: Db, id: string, at: number): Promise<void> {
  await db
    .updateTable('inputs')
    .set((eb) => ({ answer: null, closed_at: eb.fn.coalesce('closed_at', eb.val(at)) }))
    .where('id', '=', id)
    .execute();
}

/** The call has ended: nothing of its questions is open, and what was answered is forgotten. */
export async function closeInputsOfCall(tx: Db, callId: string, at: number): Promise<void> {
  await tx
    .updateTable('inputs')
    .set((eb) => ({ answer: null, closed_at: eb.fn.coalesce('closed_at', eb.val(at)) }))
    .where('call_id', '=', callId)
    .execute();
}

/**
 * Tidies up: questions end that belong to processes other than `alive` or to calls that have ended, and
 * what was closed before `forgetBefore` is forgotten.
 */
export async function tidyInputs(
  tx: Db,
  alive: readonly string[],
  at: number,
  forgetBefore: number,
): Promise<void> {
  await tx
    .updateTable('inputs')
    .set((eb) => ({ answer: null, closed_at: eb.fn.coalesce('closed_at', eb.val(at)) }))
    .where((eb) =>
      eb.or([
        eb.and([
          eb('instance', 'is not', null),
          ...(alive.length > 0 ? [eb('instance', 'not in', alive)] : []),
        ]),
        eb.exists(endedCall(eb)),
      ]),
    )
    .where((eb) => eb.or([eb('closed_at', 'is', null), eb('answer', 'is not', null)]))
    .execute();
  await tx.deleteFrom('inputs').where('closed_at', '<', forgetBefore).execute();
}

/** A question ends with its time or its call. */
function isOpen(
  eb: ExpressionBuilder<Tables, 'inputs'>,
  now: number,
): ExpressionWrapper<Tables, 'inputs', SqlBool> {
  return eb.and([
    eb('closed_at', 'is', null),
    eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
    eb.not(eb.exists(endedCall(eb))),
  ]);
}

function endedCall(eb: ExpressionBuilder<Tables, 'inputs'>) {
  return eb
    .selectFrom('tool_calls')
    .select('tool_calls.id')
    .whereRef('tool_calls.id', '=', 'inputs.call_id')
    .where('tool_calls.ended_at', 'is not', null);
}

function toRecord(row: Selectable<Tables['inputs']>): InputRecord {
  return {
    owner: row.owner,
    view: fromJson(row.view) as InputView,
    ...(row.call_id !== null && { callId: row.call_id }),
    ...(row.instance !== null && { instance: row.instance }),
    ...(row.answer !== null && { answer: fromJson(row.answer) as AnswerInput }),
    ...(row.closed_at !== null && { closedAt: row.closed_at }),
  };
}
