import type { Client } from 'pg';
import type { DurableEvent, EventBody } from '#shared/vocabulary/event.ts';
import type { Conversation, Topic } from '#shared/vocabulary/message.ts';
import { reduce } from '#shared/vocabulary/reduce.ts';

/**
 * Keeps a copy of every event and every change of hands, made by the database itself in the transaction
 * of the original: the journal is trimmed, this is not. A number that is given twice breaks the write.
 */
export async function recordLog(db: Client): Promise<void> {
  const { rows } = await db.query<{ name: string }>('select current_schema() as name');
  const schema = db.escapeIdentifier(rows[0]?.name ?? '');
  await db.query(`
    create table log_copy (topic_id text, seq bigint, body text, primary key (topic_id, seq));
    create table hands (topic_id text, fence bigint, owner text, at timestamptz);
    create function ${schema}.copy_event() returns trigger language plpgsql as $$
      begin
        insert into ${schema}.log_copy values (new.topic_id, new.seq, new.body);
        return new;
      end $$;
    create function ${schema}.copy_lease() returns trigger language plpgsql as $$
      begin
        insert into ${schema}.hands values (new.id, new.fence, new.lease_owner, clock_timestamp());
        return new;
      end $$;
    create trigger copy_event after insert on events for each row execute function ${schema}.copy_event();
    create trigger copy_lease after update of fence on topics for each row
      when (new.fence > old.fence) execute function ${schema}.copy_lease();`);
}

/** The whole log of a topic, in order. */
export async function readLog(db: Client, topicId: string): Promise<DurableEvent[]> {
  const { rows } = await db.query<{ seq: string; body: string }>(
    'select seq, body from log_copy where topic_id = $1 order by seq',
    [topicId],
  );
  return rows.map(({ seq, body }) => ({ ...decode(body), seq: Number(seq) }));
}

/** A row is the JSON of its event, or a delta as `block offset text`; a block is `message.number`. */
function decode(body: string): EventBody {
  if (body.startsWith('{')) return JSON.parse(body) as EventBody;
  const [blockId = '', offset] = body.split(' ', 2);
  return {
    type: 'block-delta',
    messageId: blockId.slice(0, blockId.lastIndexOf('.')),
    blockId,
    offset: Number(offset),
    text: body.slice(`${blockId} ${offset} `.length),
  };
}

/** What each number of the log means, from an empty topic on. */
export function foldLog(topic: Topic, log: DurableEvent[]): Conversation[] {
  const states: Conversation[] = [{ topic, messages: [], hasEarlier: false, seq: 0 }];
  for (const event of log) states.push(reduce(states.at(-1) as Conversation, event));
  return states;
}

/** Milliseconds from a moment until each topic had a new owner; those that never did are missing. */
export async function takeOverTimes(
  db: Client,
  killed: Date,
  topicIds: string[],
): Promise<number[]> {
  const { rows } = await db.query<{ ms: string }>(
    `select extract(epoch from min(at) - $1::timestamptz) * 1000 as ms from hands
     where at > $1 and topic_id = any($2) group by topic_id order by 1`,
    [killed, topicIds],
  );
  return rows.map(({ ms }) => Number(ms));
}

/** The topics that an instance holds and that have an answer to make. */
export async function heldBy(db: Client, instance: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from topics where lease_owner = $1
     and exists (select from messages where topic_id = topics.id and running = 1)`,
    [instance],
  );
  return rows.map(({ id }) => id);
}

/** The database's own clock. */
export async function databaseTime(db: Client): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]?.now ?? new Date();
}
