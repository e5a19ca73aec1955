import type { DirectCallPage } from '#shared/api/tool-call-api.ts';
import { at } from './path.ts';
import { request } from './request.ts';

/** Calls outside of conversations. */
export const directCallsApi = {
  list: (signal: AbortSignal) => request<DirectCallPage>('/api/tool-calls?limit=20', { signal }),
  after: (place: string) => request<DirectCallPage>(at`/api/tool-calls?limit=50&after=${place}`),
  remove: (id: string) => request<void>(at`/api/tool-calls/${id}`, { method: 'DELETE' }),
  removeAll: () => request<{ deleted: number }>('/api/tool-calls', { method: 'DELETE' }),
};
