import type { DirectCallPage, ToolCallView } from '#shared/api/tool-call-api.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { Decision } from '#shared/vocabulary/policy-api.ts';
import type { Connection } from '../http/connection.ts';
import { at } from '../http/path.ts';

/** Tool calls: waiting for approval, running, and direct ones. */
export const toolCallsApi = ({ request }: Connection) => ({
  read: (id: string, signal?: AbortSignal) =>
    request<ToolCallView>(at`/api/tool-calls/${id}`, { signal }),
  decide: (id: string, body: Decision) =>
    request<unknown>(at`/api/tool-calls/${id}/decision`, { method: 'POST', body }),
  decideAll: (decisions: (Decision & { toolCallId: string })[]) =>
    request<{ results: { error?: ErrorInfo }[] }>('/api/tool-calls/decisions', {
      method: 'POST',
      body: { decisions },
    }),
  abort: (id: string) => request<unknown>(at`/api/tool-calls/${id}/abort`, { method: 'POST' }),
  list: (signal?: AbortSignal) => request<DirectCallPage>('/api/tool-calls?limit=20', { signal }),
  /** The newest ones of one tool. */
  listOfTool: (serverId: string, toolName: string, signal?: AbortSignal) =>
    request<DirectCallPage>(at`/api/tool-calls?limit=6&serverId=${serverId}&toolName=${toolName}`, {
      signal,
    }),
  after: (place: string) => request<DirectCallPage>(at`/api/tool-calls?limit=50&after=${place}`),
  remove: (id: string) => request<void>(at`/api/tool-calls/${id}`, { method: 'DELETE' }),
  removeAll: () => request<{ deleted: number }>('/api/tool-calls', { method: 'DELETE' }),
});
