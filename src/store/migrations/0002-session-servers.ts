import type { Migration } from './migration.ts';

/**
 * Servers may be attached to an assistant or to a topic. The columns may be null, so that programs
 * that do not know them go on; a topic takes its servers with it.
 */
export const sessionServersMigration: Migration = {
  name: '0002-session-servers',
  statements: () => [
    `alter table servers add column assistant_id text`,
    `alter table servers add column topic_id text references topics (id) on delete cascade`,
    `create index servers_by_assistant on servers (owner, assistant_id)
      where assistant_id is not null`,
    `create index servers_by_topic on servers (topic_id) where topic_id is not null`,
  ],
};
