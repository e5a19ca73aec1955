import type { Migration } from './migration.ts';
import { dropSqliteTriggers, postgresFunctions, sumsTriggers } from './sums-triggers.ts';

/**
 * How long a call or an answer waited for a person, which is no part of how long it took. Older programs
 * leave it null, as do rows from before: these count as they did.
 */
export const waitsMigration: Migration = {
  name: '0018-waits',
  statements: (dialect) => [
    `alter table tool_calls add column waited_ms bigint`,
    `alter table messages add column waited_ms bigint`,
    ...(dialect === 'postgres'
      ? postgresFunctions('with waits')
      : [...dropSqliteTriggers(), ...sumsTriggers(dialect, 'with waits')]),
  ],
};
