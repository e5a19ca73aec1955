import type { ImportResult, StorageView } from '#shared/api/data-api.ts';
import type { Connection } from '../http/connection.ts';

/** Where a person's export is read. */
export const dataExportPath = '/api/data/export';

/** All data of a person at once. */
export const dataApi = ({ request }: Connection) => ({
  storage: (signal?: AbortSignal) => request<StorageView>('/api/data', { signal }),
  /** Sends an export file; with `dryRun`, the host only reports what it contains. */
  import: (file: Blob, { dryRun, copies }: { dryRun: boolean; copies: boolean }) =>
    request<ImportResult>(
      `/api/data/import?dryRun=${dryRun ? 1 : 0}&existing=${copies ? 'copy' : 'skip'}`,
      { method: 'POST', body: new Blob([file], { type: 'application/x-ndjson' }) },
    ),
  deleteTopics: () => request<{ deleted: number }>('/api/data/topics', { method: 'DELETE' }),
});
