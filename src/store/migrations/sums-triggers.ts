import type { Dialect } from './migration.ts';

/** Since 0018 rows say how long they waited for a person. */
type Waits = 'with waits' | 'without waits';

/**
 * The triggers that queue what counts for the sums: 0011 creates them, 0016 and 0018 replace those that an
 * earlier version created.
 */
export function sumsTriggers(dialect: Dialect, waits: Waits = 'without waits'): string[] {
  return dialect === 'sqlite'
    ? sqliteTriggers(waits).map(({ create }) => create)
    : postgresTriggers(waits);
}

/** Takes the triggers of SQLite away, so that what they write to can be rebuilt. */
export const dropSqliteTriggers = (): string[] =>
  sqliteTriggers('without waits').map(({ drop }) => drop);

/** What the triggers of PostgreSQL do; replacing it changes no trigger. */
export const postgresFunctions = (waits: Waits = 'without waits'): string[] =>
  postgresTriggers(waits).filter((statement) => statement.startsWith('create or replace function'));

export const usageColumns =
  'owner, kind, at, subject, tool, name, sign, failed, ms, input, cached, output, reasoning, cost, estimated';
export const storageColumns = 'owner, messages, bytes, files, file_bytes';

/** The quarter of an hour that a time is in. */
const quarter = (time: string) => `${time} - ${time} % 900000`;
const failedCall = (row: string) =>
  `case when ${row}state in ('failed', 'timed_out', 'outcome_unknown') then 1 else 0 end`;

/** What of a time nobody worked, because a person was waited for. */
const waitOf = (row: string, waits: Waits) =>
  waits === 'with waits' ? ` - coalesce(${row}waited_ms, 0)` : '';

/** A call as it counts: `row` is what its columns are called with. */
export const countedCall = (row: string, sign: number, waits: Waits = 'without waits') =>
  `'call', ${quarter(`${row}created_at`)}, ${row}server_id, ${row}tool_name,
    ${row}server_name, ${sign}, ${failedCall(row)},
    ${row}ended_at - coalesce(${row}started_at, ${row}created_at)${waitOf(row, waits)}, 0, 0, 0, 0, 0, 0`;
export const isCall = (row: string) => `${row}ended_at is not null`;

/** Whose a topic is, also while it is hidden: `deleted/OWNER`, or `import/` with an id of 36 letters and `/OWNER`. */
export const ownerOf = (topic: string) => `case
  when ${topic}owner like 'deleted/%' then substr(${topic}owner, 9)
  when ${topic}owner like 'import/%' then substr(${topic}owner, 45)
  else ${topic}owner end`;

/** What one answer may count: files that are imported may claim anything. */
const most = '1000000000000';

/** A number of a JSON text, 1 for what is true; 0 where there is none, or where the text cannot be read. */
const sqliteNumber = (text: string, name: string) =>
  `case when json_valid(${text}) then case when json_type(${text}, '$.${name}') in ('integer', 'real', 'true')
    then min(${most}, json_extract(${text}, '$.${name}')) else 0 end else 0 end`;
const postgresNumber = `create or replace function sums_number(said text, name text)
  returns double precision language plpgsql immutable as $$
  declare word text;
  begin
    word := said::json ->> name;
    return least(${most}, case word when 'true' then 1 else coalesce(word::double precision, 0) end);
  exception when others then return 0; end $$`;

export const countedAnswer = (
  dialect: Dialect,
  row: string,
  sign: number,
  waits: Waits = 'without waits',
) => {
  const value = (name: string) =>
    dialect === 'sqlite'
      ? sqliteNumber(`${row}usage`, name)
      : `sums_number(${row}usage, '${name}')`;
  const tokens = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'reasoningTokens'].map(
    (name) => `cast(${value(name)} as bigint)`,
  );
  const isEstimated = `${value('costEstimated')} = 1`;
  return `'answer', ${quarter(`${row}ended_at`)}, ${row}model, '', '', ${sign},
    case when ${row}status = 'error' then 1 else 0 end, ${row}ended_at - ${row}created_at${waitOf(row, waits)},
    ${tokens.join(', ')}, ${value('cost')}, case when ${isEstimated} then ${value('cost')} else 0 end`;
};
export const isAnswer = (row: string) =>
  `${row}role = 'assistant' and ${row}model is not null and ${row}ended_at is not null`;

export const size = (row: string) => `octet_length(${row}content) + octet_length(${row}data)`;
const sizeOfBlob = (row: string) => `(select size from blobs where blobs.hash = ${row}hash)`;
const hasOther = (row: string) =>
  `exists (select 1 from blob_refs other where other.owner = ${row}owner and other.hash = ${row}hash
    and other.id <> ${row}id)`;

/** Adds a row to a queue. On SQLite a queue is one tree, by owner and number: an entry dirties one page. */
export const enqueue = (
  dialect: Dialect,
  [table, columns]: readonly [table: string, columns: string],
  [owner, ...values]: readonly [owner: string, ...values: string[]],
  from: string,
) => {
  const row = [owner, ...values].join(', ');
  if (dialect === 'postgres') return `insert into ${table} (${columns}) select ${row} ${from};`;
  const id = `1 + coalesce((select max(id) from ${table} where owner = ${owner}), 0)`;
  return `insert into ${table} (id, ${columns}) select ${id}, ${row} ${from};`;
};
const usageQueue = ['usage_changes', usageColumns] as const;
export const storageQueue = ['storage_changes', storageColumns] as const;

/** What each change of a row adds to the queues, by table. */
export type Row = 'old.' | 'new.';
const answer = (dialect: Dialect, row: Row, sign: number, waits: Waits) =>
  enqueue(
    dialect,
    usageQueue,
    [ownerOf('topics.'), countedAnswer(dialect, row, sign, waits)],
    `from topics where topics.id = ${row}topic_id and ${isAnswer(row)}`,
  );
const call = (dialect: Dialect, row: Row, sign: number, waits: Waits) =>
  enqueue(
    dialect,
    usageQueue,
    [`${row}owner`, countedCall(row, sign, waits)],
    `where ${isCall(row)}`,
  );
const message = (dialect: Dialect, row: Row, sign: number) =>
  enqueue(
    dialect,
    storageQueue,
    [ownerOf('topics.'), `${sign}, 0, 0, 0`],
    `from topics where topics.id = ${row}topic_id`,
  );
const block = (dialect: Dialect, row: Row, sign: number) =>
  enqueue(
    dialect,
    storageQueue,
    [ownerOf('topics.'), `0, ${sign} * (${size(row)}), 0, 0`],
    `from messages join topics on topics.id = messages.topic_id where messages.id = ${row}message_id`,
  );
const file = (dialect: Dialect, row: Row, sign: number) =>
  enqueue(
    dialect,
    storageQueue,
    [`${row}owner`, `0, 0, ${sign}, ${sign} * ${sizeOfBlob(row)}`],
    `where not ${hasOther(row)}`,
  );

const changed = 'old.ended_at is not null or new.ended_at is not null';
/** What is below goes first, while it is known whose it is: a cascade would begin above. */
const messagesOfTopic = 'delete from messages where topic_id = old.id;';
const blocksOfMessage = 'delete from blocks where message_id = old.id;';

/** What is kept of a call outside of any answer: the words of one in an answer are in its blocks. */
export const sizeOfCall = (row: string) => `octet_length(${row}arguments)
  + coalesce(octet_length(${row}result), 0) + coalesce(octet_length(${row}error), 0)`;
export const isDirect = (row: string) => `${row}answer_id is null`;
const grown = (dialect: Dialect, row: Row, bytes: string) =>
  enqueue(dialect, storageQueue, [`${row}owner`, `0, ${bytes}, 0, 0`], `where ${bytes} <> 0`);

/** What the triggers of 0028 do: each is one event, so that calls in answers cost a look at their row. */
const directCalls = (dialect: Dialect) => [
  {
    name: 'direct_new',
    event: 'after insert on tool_calls',
    body: grown(dialect, 'new.', sizeOfCall('new.')),
    when: isDirect('new.'),
  },
  {
    name: 'direct_gone',
    event: 'after delete on tool_calls',
    body: grown(dialect, 'old.', `-(${sizeOfCall('old.')})`),
    when: isDirect('old.'),
  },
  {
    name: 'direct_changed',
    event: 'after update of arguments, result, error on tool_calls',
    body: grown(dialect, 'new.', `(${sizeOfCall('new.')}) - (${sizeOfCall('old.')})`),
    when: isDirect('new.'),
  },
];

/** Takes those of 0028 away. */
export const dropDirectCallTriggers = (dialect: Dialect): string[] =>
  directCalls(dialect).map(
    ({ name }) => `drop trigger sums_${name}${dialect === 'sqlite' ? '' : ' on tool_calls'}`,
  );

/** The triggers that queue what calls outside of any answer take, in 0028. */
export const directCallTriggers = (dialect: Dialect): string[] =>
  directCalls(dialect).flatMap(({ name, event, body, when }) =>
    dialect === 'sqlite'
      ? [onSqlite(name, event, () => body, when).create]
      : onPostgres(name, event, () => `${body} return null;`, when),
  );

export const onSqlite = (
  name: string,
  event: string,
  body: (dialect: 'sqlite') => string,
  when = '',
) => ({
  drop: `drop trigger sums_${name}`,
  create: `create trigger sums_${name} ${event} for each row ${when && `when ${when}`} begin ${body('sqlite')} end`,
});
const sqliteTriggers = (waits: Waits) => [
  onSqlite('topic_gone', 'before delete on topics', () => messagesOfTopic),
  onSqlite(
    'message_goes',
    'before delete on messages',
    (on) => blocksOfMessage + message(on, 'old.', -1),
  ),
  onSqlite(
    'message_gone',
    'before delete on messages',
    (on) => answer(on, 'old.', -1, waits),
    isAnswer('old.'),
  ),
  onSqlite('message_new', 'after insert on messages', (on) => message(on, 'new.', 1)),
  onSqlite(
    'answer_new',
    'after insert on messages',
    (on) => answer(on, 'new.', 1, waits),
    isAnswer('new.'),
  ),
  onSqlite(
    'answer_changed',
    'after update of status, model, usage, ended_at on messages',
    (on) => answer(on, 'old.', -1, waits) + answer(on, 'new.', 1, waits),
    `new.role = 'assistant' and (${changed})`,
  ),
  onSqlite(
    'call_new',
    'after insert on tool_calls',
    (on) => call(on, 'new.', 1, waits),
    isCall('new.'),
  ),
  onSqlite(
    'call_gone',
    'after delete on tool_calls',
    (on) => call(on, 'old.', -1, waits),
    isCall('old.'),
  ),
  onSqlite(
    'call_changed',
    'after update of state, ended_at on tool_calls',
    (on) => call(on, 'old.', -1, waits) + call(on, 'new.', 1, waits),
    changed,
  ),
  onSqlite('block_new', 'after insert on blocks', (on) => block(on, 'new.', 1)),
  onSqlite('block_gone', 'before delete on blocks', (on) => block(on, 'old.', -1)),
  onSqlite('file_new', 'after insert on blob_refs', (on) => file(on, 'new.', 1)),
  onSqlite('file_gone', 'after delete on blob_refs', (on) => file(on, 'old.', -1)),
];

/** In a function of several events `tg_op` says which of the two rows there are. */
export const onPostgres = (
  name: string,
  event: string,
  body: (dialect: 'postgres') => string,
  when = '',
): string[] => [
  `create or replace function sums_${name}() returns trigger language plpgsql as $$ begin ${body('postgres')} end $$`,
  `create trigger sums_${name} ${event} for each row ${when && `when (${when})`} execute function sums_${name}()`,
];
const postgresTriggers = (waits: Waits) =>
  [
    postgresNumber,
    onPostgres('topic_gone', 'before delete on topics', () => `${messagesOfTopic} return old;`),
    onPostgres(
      'message_gone',
      'before delete on messages',
      (on) =>
        `${blocksOfMessage}${message(on, 'old.', -1)}${answer(on, 'old.', -1, waits)} return old;`,
    ),
    onPostgres(
      'message_new',
      'after insert on messages',
      (on) => `${message(on, 'new.', 1)}${answer(on, 'new.', 1, waits)} return null;`,
    ),
    onPostgres(
      'answer_changed',
      'after update of status, model, usage, ended_at on messages',
      (on) => `if old.ended_at is not null then ${answer(on, 'old.', -1, waits)} end if;
     if new.ended_at is not null then ${answer(on, 'new.', 1, waits)} end if; return null;`,
    ),
    onPostgres(
      'call',
      'after insert or delete or update of state, ended_at on tool_calls',
      (on) => `if tg_op <> 'INSERT' then ${call(on, 'old.', -1, waits)} end if;
     if tg_op <> 'DELETE' then ${call(on, 'new.', 1, waits)} end if; return null;`,
    ),
    onPostgres(
      'block_new',
      'after insert on blocks',
      (on) => `${block(on, 'new.', 1)} return null;`,
    ),
    onPostgres(
      'block_gone',
      'before delete on blocks',
      (on) => `${block(on, 'old.', -1)} return old;`,
    ),
    // Who drops a file waits for who keeps the same bytes, which changes the row of the bytes. Before the row
    // goes: afterwards all rows of a statement are gone, and each of them would count as the last one.
    onPostgres(
      'file_gone',
      'before delete on blob_refs',
      (on) =>
        `perform 1 from blobs where hash = old.hash for update; ${file(on, 'old.', -1)} return old;`,
    ),
    onPostgres(
      'file_new',
      'after insert on blob_refs',
      (on) => `${file(on, 'new.', 1)} return null;`,
    ),
  ].flat();
