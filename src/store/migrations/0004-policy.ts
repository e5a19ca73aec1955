import type { Migration } from './migration.ts';

/**
 * Rules of the approval policy are rows of their own, so that two hosts that add one do not undo each
 * other; those that were remembered before are taken over. A pin keeps the definition for comparison.
 */
export const policyMigration: Migration = {
  name: '0004-policy',
  statements: (dialect) => [
    `create table policy_rules (
      n ${dialect === 'sqlite' ? 'integer' : 'bigserial'} primary key,
      id text not null unique, owner text not null,
      topic_id text references topics (id) on delete cascade,
      action text not null, source text not null, conditions text not null, note text,
      created_at bigint not null
    )`,
    `create index policy_rules_by_owner on policy_rules (owner, n)`,
    `create index policy_rules_by_topic on policy_rules (topic_id) where topic_id is not null`,
    `alter table tool_pins add column definition text`,
    dialect === 'sqlite' ? takeOverSqlite : takeOverPostgres,
    `delete from settings where key = 'policy-rules'`,
  ],
};

const columns = '(id, owner, topic_id, action, source, conditions, created_at)';
/** A star was a letter of the name, and would be a pattern now; a topic may be gone. */
const usable = (toolName: string, topicId: string): string =>
  `s.key = 'policy-rules' and ${toolName} not like '%*%' and
    (${topicId} is null or exists (select 1 from topics where topics.id = ${topicId}))`;

const takeOverSqlite = `insert into policy_rules ${columns}
  select lower(hex(randomblob(16))), s.owner, r.value ->> 'topicId', r.value ->> 'effect', 'decision',
    json_object('serverId', r.value ->> 'serverId', 'toolName', r.value ->> 'toolName'), s.updated_at
  from settings s, json_each(s.value) r
  where ${usable(`r.value ->> 'toolName'`, `r.value ->> 'topicId'`)}
  order by s.owner, r.key`;

const takeOverPostgres = `insert into policy_rules ${columns}
  select gen_random_uuid()::text, s.owner, r.value ->> 'topicId', r.value ->> 'effect', 'decision',
    jsonb_build_object('serverId', r.value ->> 'serverId', 'toolName', r.value ->> 'toolName')::text,
    s.updated_at
  from settings s, jsonb_array_elements(s.value::jsonb) with ordinality r(value, place)
  where ${usable(`r.value ->> 'toolName'`, `r.value ->> 'topicId'`)}
  order by s.owner, r.place`;
