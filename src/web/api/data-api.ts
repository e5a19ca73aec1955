import type { ImportResult, StorageView } from '#shared/api/data-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { failureOf, request } from './request.ts';

/** What is done with everything of a person at once. */
export const dataApi = {
  storage: (signal: AbortSignal) => request<StorageView>('/api/data', { signal }),
  exportUrl: '/api/data/export',
  import: sendExport,
  deleteTopics: () => request<{ deleted: number }>('/api/data/topics', { method: 'DELETE' }),
};

/** Sends an export file; with `dryRun` the host only says what is in it. */
async function sendExport(
  file: Blob,
  { dryRun, copies }: { dryRun: boolean; copies: boolean },
): Promise<ImportResult> {
  const query = `dryRun=${dryRun ? 1 : 0}&existing=${copies ? 'copy' : 'skip'}`;
  let response: Response;
  try {
    response = await fetch(`/api/data/import?${query}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-ndjson' },
      body: file,
      credentials: 'same-origin',
    });
  } catch (cause) {
    throw new CeriseError('connection_lost', say('host-unreachable')`The host cannot be reached.`, {
      cause,
    });
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw failureOf(response.status, body);
  return body as ImportResult;
}
