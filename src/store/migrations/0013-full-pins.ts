import type { Migration } from './migration.ts';

/**
 * Pins that cover more than before. The old hash stays in its column, where older programs beside this
 * one compare it; where they replace it, the new one no longer fits and counts as absent.
 */
export const fullPinsMigration: Migration = {
  name: '0013-full-pins',
  statements: () => [`alter table tool_pins add column full_hash text`],
};
