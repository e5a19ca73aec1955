import { describe, expect, it } from 'vitest';
import { createConnection, isUnreachable } from './connection.ts';

type Asked = { url: string; init: RequestInit };

/** A connection whose host answers with what it is given, and what it was asked. */
function connect(answer: () => Response | Promise<Response>) {
  const asked: Asked[] = [];
  let unknown = 0;
  const connection = createConnection({
    baseUrl: 'http://host',
    headers: { authorization: 'Bearer t' },
    onUnauthenticated: () => (unknown += 1),
    fetch: async (url, init) => {
      asked.push({ url, init });
      return answer();
    },
  });
  return { ...connection, asked, unknown: () => unknown };
}

describe('a connection', () => {
  it('sends JSON with its headers and the key, and reads JSON', async () => {
    const host = connect(() => Response.json({ id: 't' }));
    const sent = { method: 'POST', body: { a: 1 }, key: 'k' } as const;
    expect(await host.request('/api/topics', sent)).toEqual({ id: 't' });
    expect(host.asked).toMatchObject([{ url: 'http://host/api/topics', init: { method: 'POST' } }]);
    expect(host.asked[0]?.init).toMatchObject({
      body: '{"a":1}',
      headers: {
        accept: 'application/json',
        authorization: 'Bearer t',
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
    });
  });

  it('sends no body unless there is one or something is posted', async () => {
    const host = connect(() => new Response(null, { status: 204 }));
    for (const method of ['GET', 'DELETE', 'POST'] as const)
      expect(await host.request('/', { method })).toBeUndefined();
    expect(host.asked.map(({ init }) => init.body)).toEqual([undefined, undefined, '{}']);
    expect(host.asked[1]?.init.headers).not.toHaveProperty('content-type');
  });

  it('throws what the host says, with its hint', async () => {
    const error = { code: 'topic_not_found', message: 'No topic.', hint: 'Look again.' };
    const host = connect(() => Response.json({ error }, { status: 404 }));
    await expect(host.request('/')).rejects.toMatchObject(error);
  });

  it.each([
    ['<html>', 502, 'http_error'],
    ['{"error":"bad"}', 500, 'http_error'],
    ['', 401, 'unauthenticated'],
    ['{', 200, 'unreadable_response'],
  ])('names what is no answer of ours: %s with %s', async (text, status, code) => {
    const host = connect(() => new Response(text, { status }));
    await expect(host.request('/')).rejects.toMatchObject({ code });
    expect(host.unknown()).toBe(status === 401 ? 1 : 0);
  });

  it('tells a lost line from a request that was given up or took too long', async () => {
    const host = connect(() => Promise.reject(new TypeError('fetch failed')));
    const failure = (signal?: AbortSignal) =>
      host.request('/', { signal }).catch((error: unknown) => error);
    expect(await failure()).toMatchObject({ code: 'connection_lost' });
    expect(isUnreachable(await failure())).toBe(true);
    expect(await failure(AbortSignal.abort())).toMatchObject({ code: 'cancelled' });
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    expect(await failure(late)).toMatchObject({ code: 'timed_out' });
  });

  it('takes an answer that broke off for none', async () => {
    const broken = new ReadableStream({ pull: (part) => part.error(new TypeError('terminated')) });
    const failure = connect(() => new Response(broken)).request('/');
    expect(isUnreachable(await failure.catch((error: unknown) => error))).toBe(true);
  });
});
