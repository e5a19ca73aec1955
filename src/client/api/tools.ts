import type { z } from 'zod';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { callToolsSchema, ExportedTools, ToolFormat } from '#shared/api/tools-api.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { Connection } from '../http/connection.ts';
import { newKey } from '../http/key.ts';
import { at } from '../http/path.ts';

/** One call of several: the call, or why it was not made. */
export interface BatchResult {
  call?: ToolCallView;
  error?: ErrorInfo;
}

/** Tools of any servers. */
export const toolsApi = ({ request }: Connection) => ({
  /** Several calls at once; a repeat with the same key makes none of them again. */
  callAll: (calls: z.input<typeof callToolsSchema>['calls'], key = newKey()) =>
    request<{ results: BatchResult[] }>('/api/tool-calls', {
      method: 'POST',
      body: { calls },
      key,
    }),
  /** Tools in a vendor's format; those of all servers unless some are named. */
  export: (format: ToolFormat, servers: readonly string[] = []) =>
    request<ExportedTools>(
      at`/api/tools/export?format=${format}` +
        (servers.length > 0 ? at`&servers=${servers.join(',')}` : ''),
    ),
});
