import { OpenAI } from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RunReaders } from '#chat/runs/run-readers.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { describeEachDatabase } from '../databases.ts';
import { calls, says } from '../fakes/scripted-model.ts';
import { listen } from '../fakes/loopback.ts';
import { token } from '../fixtures/http.ts';
import { holdNextTransaction } from '../fixtures/held-store.ts';
import { clientsOf, model, noting, openV1, type V1 } from '../fixtures/v1.ts';
import { owner } from '../host.ts';

const messages = [{ role: 'user' as const, content: 'Do it' }];
const retry = { 'x-stainless-retry-count': '1' };
const body = { model, messages };
const png = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13);

/** The first answer to a request is lost on its way: the client only sees that the connection broke. */
function losing(api: V1, lost: number): OpenAI {
  let tries = 0;
  return new OpenAI({
    apiKey: token,
    baseURL: 'http://cerise.test:4310/v1',
    maxRetries: 2,
    fetch: async (url, init) => {
      tries += 1;
      if (tries > lost) return api.fetch(url, init);
      const leaving = new AbortController();
      const answered = api.fetch(url, { ...init, signal: leaving.signal });
      setTimeout(() => leaving.abort(), 30);
      await answered.catch(() => undefined);
      throw new TypeError('fetch failed');
    },
  });
}

describeEachDatabase((_open, fresh) => {
  it.each([
    ['a first try and a retry', {}],
    ['two retries', retry],
  ])('T97: T76: %s that reach two hosts at once are one run', async (_, headers) => {
    const place = await fresh();
    if (!place.databaseUrl) return;
    const notes: unknown[] = [];
    const round = [calls(['look_up', {}]), says('Once.')];
    const options = { tools: [noting(notes)], place };
    const slow = await openV1([...round, ...round], options);
    const other = await openV1([...round, ...round], options);
    const held = holdNextTransaction(slow.host.store);
    const first = slow.send('POST', '/v1/chat/completions', body, headers);
    await held.reached;
    const again = await other.send('POST', '/v1/chat/completions', body, retry);
    held.letGo();
    expect([(await first).status, again.status]).toEqual([200, 200]);
    expect(notes).toHaveLength(1);
    const equal = await slow.send('POST', '/v1/chat/completions', body);
    expect(equal.status).toBe(200);
    expect(notes).toHaveLength(2);
  });
});

describe('retries of the official client (T97)', () => {
  it('T97: join the first run, so that its tool runs once', async () => {
    const notes: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    const api = await openV1([calls(['look_up', {}]), says('Once.')], {
      tools: [noting(notes, { before: gate.promise })],
    });
    setTimeout(() => gate.resolve(), 300);
    const completion = await losing(api, 1).chat.completions.create(body);
    expect(completion.choices[0]?.message.content).toBe('Once.');
    expect(notes).toHaveLength(1);
    expect(api.scripted.requests).toHaveLength(2);
  });

  it('T97: T76: begin nothing a second time where the first try was still being read', async () => {
    const notes: unknown[] = [];
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let pictures = 0;
    const site = await listen(async () => {
      pictures += 1;
      asked.resolve();
      if (pictures === 1) await gate.promise;
      return new Response(png, { headers: { 'content-type': 'image/png' } });
    });
    onTestFinished(() => site.close());
    const round = [calls(['look_up', {}]), says('Once.')];
    const api = await openV1([...round, ...round], {
      tools: [noting(notes)],
      fetchAllow: [new URL(site.url).host],
    });
    const content = [{ type: 'image_url', image_url: { url: `${site.url}/a.png` } }];
    const pictured = { model, messages: [{ role: 'user', content }] };
    const leaving = new AbortController();
    const first = api.raw('POST', '/v1/chat/completions', {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(pictured),
      signal: leaving.signal,
    });
    await asked.promise;
    leaving.abort();
    const again = await api.send('POST', '/v1/chat/completions', pictured, retry);
    expect(again.status).toBe(200);
    gate.resolve();
    await first.catch(() => undefined);
    await api.host.drain(5000);
    expect(notes).toHaveLength(1);
  });

  it('T97: T76: are one run where several arrive at once', async () => {
    const notes: unknown[] = [];
    const round = [calls(['look_up', {}]), says('Once.')];
    const api = await openV1([...round, ...round, ...round], { tools: [noting(notes)] });
    const send = () => api.send('POST', '/v1/chat/completions', body, retry);
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(notes).toHaveLength(1);
  });

  it('T97: T76: join the first try while that is being stored, though nobody noticed its client leave', async () => {
    const notes: unknown[] = [];
    const round = [calls(['look_up', {}]), says('Once.')];
    const api = await openV1([...round, ...round], { tools: [noting(notes)] });
    const held = holdNextTransaction(api.host.store);
    const first = api.send('POST', '/v1/chat/completions', body);
    await held.reached;
    const again = api.send('POST', '/v1/chat/completions', body, retry);
    await new Promise((resolve) => setImmediate(resolve));
    held.letGo();
    expect([(await first).status, (await again).status]).toEqual([200, 200]);
    expect(notes).toHaveLength(1);
  });

  it('T97: join the newest of equal requests, whichever of them was sent again', async () => {
    const api = await openV1([says('One.'), says('Two.')]);
    const ask = async (headers = {}) => {
      const { choices } = await api.openai.chat.completions.create(body, { headers });
      return choices[0]?.message.content;
    };
    expect([await ask(retry), await ask(), await ask(retry)]).toEqual(['One.', 'Two.', 'Two.']);
  });

  it('T97: get the end of a run that has ended', async () => {
    const notes: unknown[] = [];
    const api = await openV1([calls(['look_up', {}]), says('Once.')], { tools: [noting(notes)] });
    const first = await api.send('POST', '/v1/chat/completions', body);
    const again = await api.send('POST', '/v1/chat/completions', body, retry);
    expect(await again.json()).toEqual(await first.json());
    expect(notes).toHaveLength(1);
  });

  it('are told from equal requests, which are two', async () => {
    const api = await openV1([says('One.'), says('Two.')]);
    const ask = () => api.openai.chat.completions.create(body);
    expect([await ask(), await ask()].map(({ choices }) => choices[0]?.message.content)).toEqual([
      'One.',
      'Two.',
    ]);
  });

  it('do not join what another key of the same person asked', async () => {
    const api = await openV1([says('One.'), says('Two.')]);
    const { key } = await api.json<{ key: string }>('POST', '/api/keys', {
      name: 'other',
      scopes: ['chat'],
    });
    await api.openai.chat.completions.create(body);
    const other = clientsOf(api, key).openai;
    const again = await other.chat.completions.create(body, { headers: retry });
    expect(again.choices[0]?.message.content).toBe('Two.');
  });

  it('ask a model again that failed before any call was sent', async () => {
    const failed: Chunk[] = [
      { type: 'error', error: { code: 'model_rate_limited', message: 'Too fast.' } },
    ];
    const api = await openV1([failed, says('Better.')]);
    const first = await api.send('POST', '/v1/chat/completions', body);
    expect(first.status).toBe(429);
    expect(first.headers.get('x-should-retry')).toBe('true');
    const again = await api.openai.chat.completions.create(body, { headers: retry });
    expect(again.choices[0]?.message.content).toBe('Better.');
  });

  it('T97: get the same error where a call was sent before the model failed', async () => {
    const notes: unknown[] = [];
    const failed: Chunk[] = [
      { type: 'error', error: { code: 'model_failed', message: 'Broken.' } },
    ];
    const api = await openV1([calls(['look_up', {}]), failed, says('Never.')], {
      tools: [noting(notes)],
    });
    const first = await api.send('POST', '/v1/chat/completions', body);
    expect(first.headers.get('x-should-retry')).toBe('false');
    const again = await api.send('POST', '/v1/chat/completions', body, retry);
    expect(again.status).toBe(first.status);
    expect(notes).toHaveLength(1);
  });

  it('join by an idempotency key, and refuse another request with it', async () => {
    const api = await openV1([says('One.'), says('Two.')]);
    const keyed = { 'idempotency-key': 'abc' };
    const ask = (sent: object) => api.send('POST', '/v1/chat/completions', sent, keyed);
    const both = await Promise.all([ask(body), ask(body)]);
    const texts = await Promise.all(both.map((each) => each.json()));
    expect(texts[0]).toEqual(texts[1]);
    expect((await ask({ ...body, temperature: 0.5 })).status).toBe(409);
  });

  it('ask a model again by an idempotency key, too, where it failed before any call was sent', async () => {
    const failed: Chunk[] = [
      { type: 'error', error: { code: 'model_failed', message: 'Broken.' } },
    ];
    const api = await openV1([failed, says('Better.'), says('Never.')]);
    const keyed = { 'idempotency-key': 'abc' };
    const ask = () => api.send('POST', '/v1/chat/completions', body, keyed);
    expect((await ask()).status).toBe(502);
    const [again, joined] = [await ask(), await ask()];
    expect(await again.text()).toContain('Better.');
    expect(await joined.text()).toContain('Better.');
  });
});

describe('a client that leaves', () => {
  it('ends its answer after a moment', async () => {
    const gate = Promise.withResolvers<void>();
    const api = await openV1([calls(['look_up', {}]), says('Nobody reads this.')], {
      tools: [noting([], { before: gate.promise })],
      limits: { v1Grace: 20 },
    });
    const leaving = new AbortController();
    const request = api.openai.chat.completions.create(body, { signal: leaving.signal });
    await expect.poll(() => api.scripted.requests.length).toBe(1);
    await expect.poll(async () => (await topics(api)).length).toBe(1);
    leaving.abort();
    await expect(request).rejects.toThrow();
    await expect.poll(async () => (await answers(api))[0]).toBe('stopped');
    gate.resolve();
    expect(api.scripted.requests).toHaveLength(1);
  });
});

describe('a reader that leaves', () => {
  it('ends nothing that another one reads by then', async () => {
    const api = await openV1([says('One.'), says('Two.')]);
    for (const each of [1, 2]) await api.openai.responses.create({ model, input: `${each}` });
    const { store, logger } = api.host;
    const rows = await store.db.selectFrom('runs').select('id').orderBy('id').execute();
    const [joined, alone] = await Promise.all(rows.map(({ id }) => api.host.runs.get(owner, id)));
    if (!joined || !alone) throw new Error('there are two runs');
    const stopped: string[] = [];
    const stop = async ({ id }: { id: string }) => void stopped.push(id);
    const readers = new RunReaders({ store, logger, limits: { v1Grace: 0 }, stop });
    const first = await readers.take(joined);
    await readers.take(joined);
    readers.left(joined, first);
    readers.left(alone, await readers.take(alone));
    await expect.poll(() => stopped).toEqual([alone.id]);
  });
});

async function topics({ host }: V1) {
  return host.store.db.selectFrom('topics').select('id').execute();
}

async function answers({ host }: V1): Promise<string[]> {
  const rows = await host.store.db
    .selectFrom('messages')
    .select('status')
    .where('role', '=', 'assistant')
    .execute();
  return rows.map(({ status }) => status);
}
