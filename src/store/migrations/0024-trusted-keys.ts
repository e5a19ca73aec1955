import type { Migration } from './migration.ts';

/** Keys that an admin vouched for: what comes with them does not count as untrusted. */
export const trustedKeysMigration: Migration = {
  name: '0024-trusted-keys',
  statements: () => ['alter table api_keys add column trusted integer not null default 0'],
};
