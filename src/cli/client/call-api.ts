import type { Client } from './connect.ts';

/** Calls the API and reads its JSON; nothing for an answer without a body. Throws CeriseError. */
export async function callApi<T = unknown>(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const sent = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) };
  const response = await client.request(path, { method, ...sent });
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
