import type { Migration } from './migration.ts';
import { directCallTriggers, isDirect, sizeOfCall, storageColumns } from './sums-triggers.ts';

/** Calls outside of any answer count as what their owner stores. What there was before is queued here. */
export const directCallsMigration: Migration = {
  name: '0028-direct-calls',
  statements: (dialect) => {
    const id = `1 + coalesce((select max(id) from storage_changes s where s.owner = c.owner), 0)`;
    const [column, value] = dialect === 'sqlite' ? ['id, ', `${id}, `] : ['', ''];
    return [
      ...directCallTriggers(dialect),
      `insert into storage_changes (${column}${storageColumns})
        select ${value}c.owner, 0, sum(${sizeOfCall('c.')}), 0, 0 from tool_calls c where ${isDirect('c.')}
        group by c.owner`,
    ];
  },
};
