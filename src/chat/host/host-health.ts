import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { Troubles } from '#shared/vocabulary/troubles.ts';
import { type DiskProblem, probeDisks } from '#store/database/disk-probe.ts';
import type { Store } from '#store/database/store.ts';
import { onUnreadableRow } from '#store/database/unreadable-rows.ts';

/** For how many milliseconds a failed write counts as a problem, if nothing else shows it. */
const recentMs = 5_000;

/** The health of a host. */
export interface HostHealth {
  /** Counts warnings and errors in the log. */
  troubles: Troubles;
  /** Why its data cannot be written or trusted at the moment; empty if all is well. */
  diskProblems(): Promise<DiskProblem[]>;
}

/** Watches the data of a host: its folders, and rows that cannot be read. */
export async function watchHealth(deps: {
  home: string;
  store: Store;
  troubles: Troubles;
  logger: Logger;
}): Promise<HostHealth> {
  const { home, store, troubles, logger } = deps;
  const file = store.dialect === 'sqlite' ? join(home, 'cerise.db') : undefined;
  const opened = file && (await identityOf(file));
  onUnreadableRow(store.db, ({ table, id, error: { code, message } }) =>
    logger.error({ code, message, table, id }, 'Skipped a stored row that cannot be read'),
  );
  let said = '';
  return {
    troubles,
    async diskProblems() {
      const problems = await probeDisks(home);
      if (file && (await identityOf(file)) !== opened) problems.push(replaced);
      if (problems.length === 0 && troubles.wasSeen('disk_full', recentMs)) problems.push(full);
      const words = problems.map(({ message }) => message).join(' ');
      if (words !== said && words !== '') logger.error({ problems }, 'Cannot write data');
      said = words;
      return problems;
    },
  };
}

const replaced: DiskProblem = {
  part: 'database',
  message: 'The database file was removed or replaced while Cerise was running.',
};
const full: DiskProblem = { part: 'database', message: 'The database disk is full.' };

/** Undefined if there is no such file. */
async function identityOf(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats && `${stats.dev} ${stats.ino}`;
}
