import type { AnswerInput, InputView } from '#shared/api/input-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { at } from './path.ts';
import { request } from './request.ts';

/** Questions of servers, and calls that wait outside of any conversation. */
export const inputsApi = {
  list: () => request<{ inputs: InputView[] }>('/api/inputs'),
  answer: (id: string, body: AnswerInput) =>
    request<InputView>(at`/api/inputs/${id}`, { method: 'POST', body }),
  call: (id: string, signal: AbortSignal) =>
    request<ToolCallView>(at`/api/tool-calls/${id}`, { signal }),
};
