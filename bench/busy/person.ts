import { benchToken } from '../processes.ts';
import { post } from '../load/control.ts';

const password = 'a password of the bench';

/** Somebody who brings a large file in and deletes it again: their session, as request headers. */
export async function signInNew(url: string, name: string): Promise<Record<string, string>> {
  await post(`${url}/api/users`, { name, role: 'user', password }, benchToken);
  const response = await fetch(`${url}/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name, password }),
  });
  if (!response.ok) throw new Error(`sign-in answered ${response.status}`);
  const [cookie = ''] = response.headers.getSetCookie();
  return { cookie: cookie.split(';')[0] ?? '', origin: url };
}

/** Sends a request, reads all of its answer and says how many ms that took. */
export async function timed(url: string, init: RequestInit): Promise<number> {
  const begun = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${text}`);
  return performance.now() - begun;
}
