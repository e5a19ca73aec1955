import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '#server/listen.ts';
import { calls, says } from '../fakes/scripted-model.ts';
import { token } from '../fixtures/http.ts';
import { model, noting, openV1 } from '../fixtures/v1.ts';

const messages = [{ role: 'user' as const, content: 'Do it' }];

describe('a client on a real connection', () => {
  it.each([true, false])('ends its answer by leaving, streamed: %s', async (stream) => {
    const gate = Promise.withResolvers<void>();
    const notes: unknown[] = [];
    const api = await openV1([calls(['look_up', {}]), says('Nobody reads this.')], {
      tools: [noting(notes, { before: gate.promise })],
      limits: { v1Grace: 20 },
    });
    const server = await listen(api.host, {
      home: api.place.home,
      hostname: '127.0.0.1',
      port: 0,
      allowedHosts: [],
      localToken: token,
      webRoot: '',
    });
    onTestFinished(() => server.close());
    const client = new OpenAI({ apiKey: token, baseURL: `${server.url}/v1`, maxRetries: 0 });
    const leaving = new AbortController();
    const { signal } = leaving;
    const read = client.chat.completions
      .create({ model, messages, stream }, { signal })
      .then(async (got) => (Symbol.asyncIterator in got ? Array.fromAsync(got) : got))
      .catch(() => undefined);
    await expect.poll(() => notes.length).toBe(1);
    leaving.abort();
    await read;
    const statuses = async () => {
      const { db } = api.host.store;
      const answers = db.selectFrom('messages').select('status').where('role', '=', 'assistant');
      return (await answers.execute()).map(({ status }) => status);
    };
    await expect.poll(statuses, { timeout: 10_000 }).toEqual(['stopped']);
    gate.resolve();
    expect(api.scripted.requests).toHaveLength(1);
  });

  it.each([true, false])('leaves nothing open after its answer, streamed: %s', async (stream) => {
    const { fetch, host } = await openV1([says('Done.')]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model, messages, stream });
    const response = await fetch('http://cerise.test:4310/v1/chat/completions', {
      method: 'POST',
      headers,
      body,
    });
    expect(await response.text()).toContain('Done.');
    expect(host.streams.size).toBe(0);
  });
});
