import type { Migration } from './migration.ts';

/**
 * What somebody used and stores is kept as sums. Triggers write down each change of the rows that are
 * summed up, whichever program makes it, and `sums.ts` adds them up in slices. They are queues and not
 * counters, so that nobody waits for somebody else's commit. What there was before is queued here.
 * Imports are staged, and people are removed, in steps that outlive the process.
 */
export const sumsMigration: Migration = {
  name: '0011-sums',
  statements: (dialect) => [
    ...tables(dialect),
    ...(dialect === 'sqlite' ? sqliteTriggers : postgresTriggers),
    ...backfill(dialect),
    // A deletion would now and then rewrite a large part of the index at once; `sweep.ts` does so in steps.
    ...(dialect === 'sqlite'
      ? [`insert into search_index (search_index, rank) values ('deletemerge', 0)`]
      : []),
  ],
};

const usageColumns =
  'owner, kind, at, subject, tool, name, sign, failed, ms, input, cached, output, reasoning, cost, estimated';
const storageColumns = 'owner, messages, bytes, files, file_bytes';
const numbers = ['input', 'cached', 'output', 'reasoning'];

const tables = (dialect: 'sqlite' | 'postgres'): string[] => {
  const serial = dialect === 'sqlite' ? 'integer' : 'bigserial';
  const tokens = numbers.map((name) => `${name} bigint not null`).join(', ');
  const costs = 'cost double precision not null, estimated double precision not null';
  return [
    `create table usage_changes (
      id ${serial} primary key, owner text not null, kind text not null, at bigint not null,
      subject text not null, tool text not null, name text not null, sign integer not null,
      failed integer not null, ms bigint not null, ${tokens}, ${costs}
    )`,
    `create index usage_changes_by_owner on usage_changes (owner, id)`,
    `create table usage_sums (
      owner text not null, grain text not null, kind text not null, at bigint not null,
      subject text not null, tool text not null, name text not null, n bigint not null,
      failed bigint not null, ${tokens}, ${costs}, times text not null,
      primary key (owner, grain, kind, at, subject, tool)
    )`,
    `create table usage_versions (owner text primary key, version bigint not null)`,
    `create table storage_changes (
      id ${serial} primary key, owner text not null, messages bigint not null, bytes bigint not null,
      files bigint not null, file_bytes bigint not null
    )`,
    `create index storage_changes_by_owner on storage_changes (owner, id)`,
    `create table storage_sums (
      owner text primary key, messages bigint not null, bytes bigint not null, files bigint not null,
      file_bytes bigint not null
    )`,
    `create index blob_refs_by_owner on blob_refs (owner, hash)`,
    `create index blob_refs_unsent on blob_refs (owner, created_at)
      where topic_id is null and call_id is null`,
    `create table imports (
      id text primary key, owner text not null, state text not null, names text,
      seen_at bigint not null
    )`,
    `alter table users add column removed_at bigint`,
  ];
};

/** The quarter of an hour that a time is in. */
const quarter = (time: string) => `${time} - ${time} % 900000`;
const failedCall = (row: string) =>
  `case when ${row}state in ('failed', 'timed_out', 'outcome_unknown') then 1 else 0 end`;

/** A call as it counts: `row` is what its columns are called with. */
const countedCall = (row: string, sign: number) =>
  `${row}owner, 'call', ${quarter(`${row}created_at`)}, ${row}server_id, ${row}tool_name,
    ${row}server_name, ${sign}, ${failedCall(row)},
    ${row}ended_at - coalesce(${row}started_at, ${row}created_at), 0, 0, 0, 0, 0, 0`;
const isCall = (row: string) => `${row}ended_at is not null`;

/** Whose a topic is, also while it is hidden: `deleted/OWNER`, or `import/` with an id of 36 letters and `/OWNER`. */
const ownerOf = (topic: string) => `case
  when ${topic}owner like 'deleted/%' then substr(${topic}owner, 9)
  when ${topic}owner like 'import/%' then substr(${topic}owner, 45)
  else ${topic}owner end`;
const ownerOfTopic = (id: string) =>
  `(select ${ownerOf('topics.')} from topics where topics.id = ${id})`;

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

const countedAnswer = (
  dialect: 'sqlite' | 'postgres',
  row: string,
  owner: string,
  sign: number,
) => {
  const value = (name: string) =>
    dialect === 'sqlite'
      ? sqliteNumber(`${row}usage`, name)
      : `sums_number(${row}usage, '${name}')`;
  const tokens = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'reasoningTokens'].map(
    (name) => `cast(${value(name)} as bigint)`,
  );
  const isEstimated = `${value('costEstimated')} = 1`;
  return `${owner}, 'answer', ${quarter(`${row}ended_at`)}, ${row}model, '', '', ${sign},
    case when ${row}status = 'error' then 1 else 0 end, ${row}ended_at - ${row}created_at,
    ${tokens.join(', ')}, ${value('cost')}, case when ${isEstimated} then ${value('cost')} else 0 end`;
};
const isAnswer = (row: string) =>
  `${row}role = 'assistant' and ${row}model is not null and ${row}ended_at is not null`;

const size = (row: string) => `octet_length(${row}content) + octet_length(${row}data)`;
const ownerOfBlock = (row: string) =>
  `(select ${ownerOf('topics.')} from messages join topics on topics.id = messages.topic_id
    where messages.id = ${row}message_id)`;
const sizeOfBlob = (row: string) => `(select size from blobs where blobs.hash = ${row}hash)`;
const hasOther = (row: string) =>
  `exists (select 1 from blob_refs other where other.owner = ${row}owner and other.hash = ${row}hash
    and other.id <> ${row}id)`;

const usage = (values: string, when: string) =>
  `insert into usage_changes (${usageColumns}) select ${values} where ${when};`;
const storage = (values: string, when = 'true') =>
  `insert into storage_changes (${storageColumns}) select ${values} where ${when};`;

/** What each change of a row adds to the queues, by table. The same words for both databases. */
const answer = (dialect: 'sqlite' | 'postgres', row: 'old.' | 'new.', sign: number) =>
  usage(
    countedAnswer(dialect, row, ownerOfTopic(`${row}topic_id`), sign),
    `${isAnswer(row)} and ${ownerOfTopic(`${row}topic_id`)} is not null`,
  );
const call = (row: 'old.' | 'new.', sign: number) => usage(countedCall(row, sign), isCall(row));
const message = (row: 'old.' | 'new.', sign: number) =>
  storage(
    `${ownerOfTopic(`${row}topic_id`)}, ${sign}, 0, 0, 0`,
    `${ownerOfTopic(`${row}topic_id`)} is not null`,
  );
const block = (row: 'old.' | 'new.', sign: number) =>
  storage(
    `${ownerOfBlock(row)}, 0, ${sign} * (${size(row)}), 0, 0`,
    `${ownerOfBlock(row)} is not null`,
  );
const file = (row: 'old.' | 'new.', sign: number) =>
  storage(`${row}owner, 0, 0, ${sign}, ${sign} * ${sizeOfBlob(row)}`, `not ${hasOther(row)}`);

const changed = 'old.ended_at is not null or new.ended_at is not null';
/** What is below goes first, while it is known whose it is: a cascade would begin above. */
const messagesOfTopic = 'delete from messages where topic_id = old.id;';
const blocksOfMessage = 'delete from blocks where message_id = old.id;';

const onSqlite = (name: string, event: string, body: string, when = '') =>
  `create trigger sums_${name} ${event} for each row ${when && `when ${when}`} begin ${body} end`;
const sqliteTriggers = [
  onSqlite('topic_gone', 'before delete on topics', messagesOfTopic),
  onSqlite('message_goes', 'before delete on messages', blocksOfMessage + message('old.', -1)),
  onSqlite(
    'message_gone',
    'before delete on messages',
    answer('sqlite', 'old.', -1),
    isAnswer('old.'),
  ),
  onSqlite('message_new', 'after insert on messages', message('new.', 1)),
  onSqlite('answer_new', 'after insert on messages', answer('sqlite', 'new.', 1), isAnswer('new.')),
  onSqlite(
    'answer_changed',
    'after update of status, model, usage, ended_at on messages',
    answer('sqlite', 'old.', -1) + answer('sqlite', 'new.', 1),
    `new.role = 'assistant' and (${changed})`,
  ),
  onSqlite('call_new', 'after insert on tool_calls', call('new.', 1), isCall('new.')),
  onSqlite('call_gone', 'after delete on tool_calls', call('old.', -1), isCall('old.')),
  onSqlite(
    'call_changed',
    'after update of state, ended_at on tool_calls',
    call('old.', -1) + call('new.', 1),
    changed,
  ),
  onSqlite('block_new', 'after insert on blocks', block('new.', 1)),
  onSqlite('block_gone', 'before delete on blocks', block('old.', -1)),
  onSqlite('file_new', 'after insert on blob_refs', file('new.', 1)),
  onSqlite('file_gone', 'after delete on blob_refs', file('old.', -1)),
];

/** `tg_op` says which of the two rows there are. */
const onPostgres = (name: string, event: string, body: string): string[] => [
  `create or replace function sums_${name}() returns trigger language plpgsql as $$ begin ${body} end $$`,
  `create trigger sums_${name} ${event} for each row execute function sums_${name}()`,
];
const either = (of: (row: 'old.' | 'new.', sign: number) => string) =>
  `if tg_op <> 'INSERT' then ${of('old.', -1)} end if;
   if tg_op <> 'DELETE' then ${of('new.', 1)} end if; return null;`;
const postgresTriggers = [
  postgresNumber,
  onPostgres('topic_gone', 'before delete on topics', `${messagesOfTopic} return old;`),
  onPostgres(
    'message_gone',
    'before delete on messages',
    `${blocksOfMessage}${message('old.', -1)}${answer('postgres', 'old.', -1)} return old;`,
  ),
  onPostgres(
    'message_new',
    'after insert on messages',
    `${message('new.', 1)}${answer('postgres', 'new.', 1)} return null;`,
  ),
  onPostgres(
    'answer_changed',
    'after update of status, model, usage, ended_at on messages',
    `if old.ended_at is not null then ${answer('postgres', 'old.', -1)} end if;
     if new.ended_at is not null then ${answer('postgres', 'new.', 1)} end if; return null;`,
  ),
  onPostgres(
    'call',
    'after insert or delete or update of state, ended_at on tool_calls',
    either(call),
  ),
  onPostgres('block_new', 'after insert on blocks', `${block('new.', 1)} return null;`),
  onPostgres('block_gone', 'before delete on blocks', `${block('old.', -1)} return old;`),
  // Who drops a file waits for who keeps the same bytes, which changes the row of the bytes. Before the row
  // goes: afterwards all rows of a statement are gone, and each of them would count as the last one.
  onPostgres(
    'file_gone',
    'before delete on blob_refs',
    `perform 1 from blobs where hash = old.hash for update; ${file('old.', -1)} return old;`,
  ),
  onPostgres('file_new', 'after insert on blob_refs', `${file('new.', 1)} return null;`),
].flat();

const backfill = (dialect: 'sqlite' | 'postgres'): string[] => [
  `insert into usage_changes (${usageColumns})
    select ${countedCall('c.', 1)} from tool_calls c where ${isCall('c.')}`,
  `insert into usage_changes (${usageColumns})
    select ${countedAnswer(dialect, 'm.', 't.owner', 1)}
    from messages m join topics t on t.id = m.topic_id where ${isAnswer('m.')}`,
  `insert into storage_changes (${storageColumns})
    select t.owner, count(*), 0, 0, 0 from messages m join topics t on t.id = m.topic_id
    group by t.owner`,
  `insert into storage_changes (${storageColumns})
    select t.owner, 0, sum(${size('b.')}), 0, 0 from blocks b join messages m on m.id = b.message_id
    join topics t on t.id = m.topic_id group by t.owner`,
  `insert into storage_changes (${storageColumns})
    select kept.owner, 0, 0, count(*), sum(blobs.size)
    from (select distinct owner, hash from blob_refs) kept join blobs on blobs.hash = kept.hash
    group by kept.owner`,
];
