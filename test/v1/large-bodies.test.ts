import { describe, expect, it, onTestFinished } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { cpuTime } from '../cpu-time.ts';
import { readLargeJson } from '#server/v1/large-json.ts';
import { readResponsesRequest } from '#server/v1/responses-request.ts';
import { piecesOf } from '#chat/runs/brought-messages.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { says } from '../fakes/scripted-model.ts';
import { listen } from '../fakes/loopback.ts';
import { addPerson } from '../fixtures/people.ts';
import { errorOf, token } from '../fixtures/http.ts';
import { model, openV1 } from '../fixtures/v1.ts';

describe('large bodies (T97)', () => {
  const bounds = { v1Body: 64 * 1024 * 1024, v1Text: 1024 * 1024, bodyParts: 1000 };
  async function* inPieces(text: string, size: number) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  it('T97: take files out as they come, however they are cut', async () => {
    const bytes = Buffer.alloc(300_001, 7);
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    const body = {
      a: 'x"\\y',
      url,
      data: bytes.toString('base64'),
      long: `ä ${'a'.repeat(200_000)} ä`,
    };
    for (const size of [977, 65_536, 10_000_000]) {
      const { value, file } = await readLargeJson(inPieces(JSON.stringify(body), size), bounds);
      const read = value as typeof body;
      expect([read.a, read.long]).toEqual([body.a, body.long]);
      expect(file(read.url)?.before).toBe('data:image/png;base64,');
      expect(Buffer.concat(file(read.url)?.bytes ?? [])).toEqual(bytes);
      expect(Buffer.concat(file(read.data)?.bytes ?? [])).toEqual(bytes);
    }
  });

  it('T97: keep a file in few pieces, however small those are in which it comes', async () => {
    const bytes = Buffer.alloc(300_001, 7);
    const body = JSON.stringify({ data: bytes.toString('base64') });
    const { value, file } = await readLargeJson(inPieces(body, 3), bounds);
    const { bytes: pieces = [] } = file((value as { data: string }).data) ?? {};
    expect(Buffer.concat(pieces)).toEqual(bytes);
    expect(pieces.length).toBeLessThan(20);
  });

  it('T97: leave a text alone that looks like a file', async () => {
    const base64 = Buffer.alloc(300_001, 7).toString('base64');
    const body = {
      content: base64,
      text: `data:image/png;base64,${base64}`,
      arguments: [base64, `${base64} and more`],
    };
    const { value } = await readLargeJson(inPieces(JSON.stringify(body), 65_536), {
      ...bounds,
      v1Text: 8 * 1024 * 1024,
    });
    expect(value).toEqual(body);
  });

  it('T97: make one answer of thousands of items without copying it for each', async () => {
    const item = { type: 'message', role: 'assistant', content: 'x'.repeat(100) };
    const input = [...Array.from({ length: 15_000 }, () => item), item];
    const body = [Buffer.from(JSON.stringify({ model, input }))];
    const json = await readLargeJson(piecesOf(body), usualLimits);
    let said: unknown;
    expect(cpuTime(() => ({ said } = readResponsesRequest(json).request))).toBeLessThan(1000);
    expect(said).toMatchObject([
      { role: 'assistant', text: expect.stringMatching(/^x{100}\n\nx{100}\n/), calls: [] },
    ]);
  });

  it('T97: give a call of the program’s the arguments that it had', async () => {
    const api = await openV1([says('Hm.')]);
    const input = { data: Buffer.alloc(300_001, 7).toString('base64') };
    const call = { type: 'tool_use', id: 'toolu_1', name: 'mine', input };
    const messages = [
      { role: 'user', content: 'Go on' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
    ];
    await api.send('POST', '/v1/messages', { model, messages });
    expect(api.scripted.requests[0]?.messages[1]).toMatchObject({
      parts: [{ type: 'tool-call', arguments: input }],
    });
  });

  it('T97: refuse too much text, and too much of anything', async () => {
    const long = JSON.stringify({ text: 'many words '.repeat(200_000) });
    await expect(readLargeJson(inPieces(long, 65_536), bounds)).rejects.toMatchObject({
      code: 'body_too_large',
    });
    const small = { ...bounds, v1Body: 1000 };
    await expect(readLargeJson(inPieces(long, 65_536), small)).rejects.toMatchObject({
      code: 'body_too_large',
    });
  });

  it('T97: refuse more parts, or fields of one object, than can be looked at at once', async () => {
    const api = await openV1([]);
    const fields = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`f${n}`, 1]));
    const messages = [{ role: 'user', content: 'Hi' }];
    const bodies: [path: string, body: object, words: string][] = [
      ['/v1/chat/completions', { model, messages, ...fields }, '10000 fields'],
      [
        '/v1/messages',
        { model, messages, x: Array.from({ length: 200_000 }, () => ({})) },
        '200000 objects',
      ],
      [
        '/v1/responses',
        { model, input: 'Hi', x: Array.from({ length: 200_000 }, () => ({})) },
        '200000 objects',
      ],
      ['/api/topics', fields, '10000 fields'],
      ['/mcp', { jsonrpc: '2.0', id: 1, method: 'ping', params: fields }, '10000 fields'],
    ];
    for (const [path, body, words] of bodies) {
      const response = await api.send('POST', path, body);
      expect([path, response.status]).toEqual([path, 413]);
      expect(await response.text()).toContain(words);
    }
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const refused = await api.raw('POST', '/mcp', { headers, body: deep });
    expect(await refused.json()).toMatchObject({ error: { code: -32600 } });
  });

  it('T97: tell of the first wrong entry alone', async () => {
    const api = await openV1([]);
    const wrong = Array.from({ length: 20_000 }, () => ({ type: 'x' }));
    const bodies: [path: string, body: object, place: string][] = [
      ['/v1/responses', { model, input: wrong }, 'input.0.type'],
      ['/v1/messages', { model, messages: [{ role: 'user', content: wrong }] }, 'content.0.type'],
      ['/v1/chat/completions', { model, messages: wrong }, 'messages.0.role'],
    ];
    for (const [path, body, place] of bodies) {
      const response = await api.send('POST', path, body);
      expect([path, response.status]).toEqual([path, 400]);
      expect(await response.text()).toContain(place);
    }
  });

  it('T97: refuse arguments of a call that nothing could store or read at once', async () => {
    const api = await openV1([]);
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const wide = JSON.stringify(Array.from({ length: 20_001 }, () => ({})));
    for (const args of [deep, wide]) {
      const call = { id: 'c', type: 'function', function: { name: 'mine', arguments: args } };
      const messages = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
      ];
      const response = await api.send('POST', '/v1/chat/completions', { model, messages });
      expect(await errorOf(response)).toMatchObject({ status: 400 });
    }
  });

  it('T97: take a history of 2,000 messages with tools and calls', async () => {
    const api = await openV1([says('Yes.')]);
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`p${n}`, { type: 'string', description: 'A field.' }]),
    );
    const tools = Array.from({ length: 100 }, (_, n) => ({
      type: 'function',
      function: { name: `mine_${n}`, parameters: { type: 'object', properties } },
    }));
    const messages = Array.from({ length: 500 }, (_, n) => {
      const call = { name: 'mine_1', arguments: '{"p1":"x"}' };
      return [
        { role: 'user', content: [{ type: 'text', text: `Question ${n}` }] },
        { role: 'assistant', tool_calls: [{ id: `c${n}`, type: 'function', function: call }] },
        { role: 'tool', tool_call_id: `c${n}`, content: 'x'.repeat(500) },
        { role: 'assistant', content: `Answer ${n}` },
      ];
    }).flat();
    const body = { model, messages: [...messages, messages[0]], tools };
    expect((await api.send('POST', '/v1/chat/completions', body)).status).toBe(200);
  });

  it('T97: a picture of 50 MB reaches the store, and no text of it the heap', async () => {
    const api = await openV1([says('Seen.')], { limits: { file: 60 * 1024 * 1024 } });
    const data = Buffer.alloc(36 * 1024 * 1024, 1).toString('base64');
    const content = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
      { type: 'text', text: 'What is it?' },
    ];
    const response = await api.send('POST', '/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content }],
    });
    expect(response.status).toBe(200);
    const blobs = await api.host.store.db.selectFrom('blobs').select('size').execute();
    expect(blobs).toEqual([{ size: 36 * 1024 * 1024 }]);
  });

  it('T97: with more messages than anybody has are refused', async () => {
    const api = await openV1([]);
    const { id } = await api.json<{ id: string }>('POST', '/api/topics', {});
    const many = <T>(entry: T) => Array.from({ length: 20_001 }, () => entry);
    const said = { role: 'user', content: 'x' };
    const bodies: [string, object][] = [
      ['/v1/chat/completions', { model, messages: many(said) }],
      ['/v1/messages', { model, max_tokens: 10, messages: many(said) }],
      ['/v1/responses', { model, input: many(said) }],
      [
        `/api/topics/${id}/ui`,
        { messages: many({ id: 'm', role: 'user', parts: [{ type: 'text', text: 'x' }] }) },
      ],
    ];
    for (const [path, body] of bodies) {
      const response = await api.send('POST', path, body);
      expect([path, response.status]).toEqual([path, 400]);
      expect(await response.text()).toMatch(/messages|input/);
    }
  });

  it('T97: that name more images than anybody looks at have none fetched', async () => {
    let fetched = 0;
    const site = await listen(() => {
      fetched += 1;
      return new Response('');
    });
    onTestFinished(() => site.close());
    const api = await openV1([], { fetchAllow: [new URL(site.url).host] });
    const content = Array.from({ length: 101 }, (_, n) => ({
      type: 'image_url',
      image_url: { url: `${site.url}/${n}.png` },
    }));
    const messages = [{ role: 'user', content }];
    const response = await api.send('POST', '/v1/chat/completions', { model, messages });
    expect([response.status, fetched]).toEqual([400, 0]);
  });

  it('T97: that stop half way keep out nobody but their sender', async () => {
    const api = await openV1([says('Hi.'), says('Hi.')], {
      limits: { v1BodiesAtOnce: 2, bodyIdleTime: 1000 },
    });
    const ben = await addPerson(api, 'Ben');
    const path = '/v1/chat/completions';
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const began = Promise.withResolvers<void>();
    const half = (size: number) =>
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.alloc(size, ' ')),
        pull: () => began.resolve(),
        cancel: () => undefined,
      });
    const slow = (size: number) =>
      api
        .raw('POST', path, { headers, body: half(size), duplex: 'half', signal: stop.signal })
        .catch(() => undefined);
    void slow(2 * 1024 * 1024);
    for (let n = 0; n < 10; n += 1) void slow(1000);
    await began.promise;
    const large = { model, messages: [{ role: 'user', content: 'Hello '.repeat(200_000) }] };
    const refused = await api.send('POST', path, large);
    expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'too_many_requests' });
    const small = { model, messages: [{ role: 'user', content: 'Go on' }] };
    expect((await api.send('POST', path, small)).status).toBe(200);
    expect((await ben.send('POST', path, large)).status).toBe(200);
  });

  it('T97: give their place back before they are answered', async () => {
    const gate = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<Chunk[]> {
      await gate.promise;
      yield says('Hi.');
    }
    const api = await openV1([slow, says('Hi.')], {
      limits: { v1BodiesAtOnce: 1, bodyIdleTime: 5000 },
    });
    const large = { model, messages: [{ role: 'user', content: 'Hello '.repeat(200_000) }] };
    const first = api.send('POST', '/v1/chat/completions', large);
    await expect.poll(() => api.scripted.requests.length).toBe(1);
    expect((await api.send('POST', '/v1/chat/completions', large)).status).toBe(200);
    gate.resolve();
    expect((await first).status).toBe(200);
  });
});
