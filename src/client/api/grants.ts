import type { z } from 'zod';
import type { ConsentView, decideConsentSchema, GrantView } from '#shared/api/people-api.ts';
import type { Connection } from '../http/connection.ts';
import { at } from '../http/path.ts';

/** Programs that a person connects. */
export const grantsApi = ({ request }: Connection) => ({
  list: (signal?: AbortSignal) => request<{ grants: GrantView[] }>('/api/grants', { signal }),
  /** What a program asks for; `search` is the query that it sent the browser with. */
  consent: (search: string, signal?: AbortSignal) =>
    request<ConsentView>(`/api/grants/request${search}`, { signal }),
  decide: (body: z.input<typeof decideConsentSchema>) =>
    request<{ redirect: string }>('/api/grants', { method: 'POST', body }),
  end: (id: string) => request<void>(at`/api/grants/${id}`, { method: 'DELETE' }),
});
