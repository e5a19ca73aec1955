import type { AnswerInput, InputView } from '#shared/api/input-api.ts';
import type { Connection } from '../http/connection.ts';
import { at } from '../http/path.ts';

/** Questions of servers. */
export const inputsApi = ({ request }: Connection) => ({
  list: () => request<{ inputs: InputView[] }>('/api/inputs'),
  answer: (id: string, body: AnswerInput) =>
    request<InputView>(at`/api/inputs/${id}`, { method: 'POST', body }),
});
