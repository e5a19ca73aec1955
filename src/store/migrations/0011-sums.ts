import type { Dialect, Migration } from './migration.ts';
import {
  countedAnswer,
  countedCall,
  isAnswer,
  isCall,
  size,
  storageColumns,
  sumsTriggers,
  usageColumns,
} from './sums-triggers.ts';

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
    ...sumsTriggers(dialect),
    ...backfill(dialect),
    // A deletion would now and then rewrite a large part of the index at once; `sweep.ts` does so in steps.
    ...(dialect === 'sqlite'
      ? [`insert into search_index (search_index, rank) values ('deletemerge', 0)`]
      : []),
  ],
};

const numbers = ['input', 'cached', 'output', 'reasoning'];

const tables = (dialect: Dialect): string[] => {
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

const backfill = (dialect: Dialect): string[] => [
  `insert into usage_changes (${usageColumns})
    select c.owner, ${countedCall('c.', 1)} from tool_calls c where ${isCall('c.')}`,
  `insert into usage_changes (${usageColumns})
    select t.owner, ${countedAnswer(dialect, 'm.', 1)}
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
