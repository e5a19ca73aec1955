import type { Migration } from './migration.ts';

/**
 * Names of providers are free; their models are named by a slug. Null stands for the name: so it is where an
 * older program added one.
 */
export const providerSlugMigration: Migration = {
  name: '0019-provider-slug',
  statements: () => [`alter table providers add column slug text`],
};
