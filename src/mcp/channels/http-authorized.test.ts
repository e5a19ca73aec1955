import { describe, expect, it } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import type { Authorizer, Challenge } from '../auth/authorizer.ts';
import {
  answerJson,
  beginEvents,
  openChannel,
  resultFor,
  startScripted,
} from '../../../test/fixtures/http-channel.ts';
import { createSseChannel } from './sse-channel.ts';
import { createStreamableHttpChannel } from './streamable-http-channel.ts';

/** Hands out `token-1`, `token-2` …, a new one after each refusal that `judge` wants answered. */
function counting(judge: (challenge: Challenge) => boolean = () => true) {
  const challenges: Challenge[] = [];
  const asked: { method: string; url: URL }[] = [];
  let serial = 1;
  const authorizer: Authorizer = {
    async headers(request) {
      asked.push(request);
      return { Authorization: `Bearer token-${serial}` };
    },
    async answer(challenge) {
      challenges.push(challenge);
      if (judge(challenge)) serial += 1;
      return judge(challenge);
    },
  };
  return { authorizer, challenges, asked };
}

/** A server that wants that token; all others are refused with the status and header. */
function protectedBy(token: string, status: number, header: string) {
  return startScripted(({ headers, message }, response) => {
    if (headers.authorization === `Bearer ${token}`) {
      return answerJson(response, resultFor(message?.id));
    }
    response.writeHead(status, { 'www-authenticate': header, 'dpop-nonce': 'n' });
    response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}');
  });
}

const open = openChannel.bind(undefined, createStreamableHttpChannel);

describe('a refusal for want of authority', () => {
  it.each([
    [401, 'Bearer resource_metadata="x"'],
    [403, 'Bearer error="insufficient_scope", scope="admin"'],
  ])('with %d is answered, and the same message sent again', async (status, header) => {
    const server = await protectedBy('token-2', status, header);
    const { authorizer, challenges, asked } = counting();
    const { request } = await open({ url: server.url, authorizer });
    expect(await request('tools/call', { name: 'x' })).toMatchObject({ result: {} });
    expect(server.requests.map(({ message }) => message?.params)).toEqual([
      { name: 'x' },
      { name: 'x' },
    ]);
    expect(challenges).toEqual([{ status, header, sent: 'Bearer token-1', dpopNonce: 'n' }]);
    expect(asked).toEqual([
      { method: 'POST', url: server.url },
      { method: 'POST', url: server.url },
    ]);
  });

  it('is answered three times and no more', async () => {
    const server = await protectedBy('none', 401, 'Bearer');
    const { authorizer, challenges } = counting();
    const { request } = await open({ url: server.url, authorizer });
    await expect(request('tools/call')).rejects.toMatchObject({
      code: 'http_error',
      details: { status: 401, wwwAuthenticate: 'Bearer' },
    });
    expect(challenges).toHaveLength(3);
    expect(server.requests).toHaveLength(4);
  });

  it('is passed on if nothing can be done, or if it is about something else', async () => {
    const server = await protectedBy('none', 401, 'Bearer');
    const { authorizer, challenges } = counting(() => false);
    const { request } = await open({ url: server.url, authorizer });
    await expect(request('tools/call')).rejects.toMatchObject({ details: { status: 401 } });
    expect(challenges).toHaveLength(1);
    const other = await protectedBy('none', 403, 'Bearer error="invalid_request"');
    const second = await open({ url: other.url, authorizer });
    await expect(second.request('tools/call')).rejects.toMatchObject({ details: { status: 403 } });
    expect(challenges).toHaveLength(1);
  });

  it('that needs a person fails with what the authorizer says', async () => {
    const server = await protectedBy('none', 401, 'Bearer');
    const failure = new CeriseError('unauthenticated', 'Sign in first.');
    const authorizer: Authorizer = {
      headers: async () => ({}),
      answer: () => Promise.reject(failure),
    };
    const { request } = await open({ url: server.url, authorizer });
    await expect(request('tools/call')).rejects.toMatchObject({
      code: 'unauthenticated',
      message: 'Sign in first.',
      reach: 'ended',
    });
    const early: Authorizer = { ...authorizer, headers: () => Promise.reject(failure) };
    const second = await open({ url: server.url, authorizer: early });
    await expect(second.request('tools/call')).rejects.toMatchObject({
      message: 'Sign in first.',
      reach: 'never-left',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('with a body without end is answered all the same', async () => {
    const server = await startScripted(({ headers, message }, response) => {
      if (headers.authorization === 'Bearer token-2') {
        return answerJson(response, resultFor(message?.id));
      }
      response.writeHead(401);
      response.write('x'.repeat(headers.authorization === 'Bearer token-1' ? 1_000_000 : 1));
    });
    const { authorizer } = counting();
    const { request } = await open({ url: server.url, authorizer });
    expect(await request('tools/call')).toMatchObject({ result: {} });
  });

  it('is forgotten when the request is cancelled meanwhile', async () => {
    const server = await protectedBy('token-2', 401, 'Bearer');
    const asked = Promise.withResolvers<void>();
    const decide = Promise.withResolvers<boolean>();
    const authorizer: Authorizer = {
      headers: async () => ({ authorization: 'Bearer token-1' }),
      answer() {
        asked.resolve();
        return decide.promise;
      },
    };
    const { request, channel } = await open({ url: server.url, authorizer });
    void request('tools/call');
    await asked.promise;
    channel.cancel(1);
    decide.resolve(true);
    await decide.promise;
    await expect(request('ping').catch(() => 'refused'))
      .resolves.toBe('refused')
      .catch(() => 0);
    expect(server.requests.filter(({ message }) => message?.method === 'tools/call')).toHaveLength(
      1,
    );
  });

  it('is answered on the stream and the messages of the old transport too', async () => {
    const server = await startScripted(({ method, headers, message }, response) => {
      const wanted = method === 'GET' ? 'token-2' : 'token-3';
      if (headers.authorization !== `Bearer ${wanted}`) return response.writeHead(401).end();
      if (method === 'GET') return beginEvents(response, 'event: endpoint\ndata: /m\n\n');
      response.writeHead(202).end();
      expect(message?.method).toBe('ping');
      delivered.resolve();
    });
    const delivered = Promise.withResolvers<void>();
    const { authorizer } = counting();
    const test = await openChannel(createSseChannel, { url: server.url, authorizer });
    void test.request('ping');
    await delivered.promise;
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'POST']);
  });

  it('never brings credentials to another origin, nor its questions to the authorizer', async () => {
    const second = await protectedBy('none', 401, 'Bearer');
    const first = await startScripted((_received, response) => {
      response.writeHead(307, { location: second.url.href }).end();
    });
    const { authorizer, challenges } = counting();
    const { request } = await open({ url: first.url, authorizer, allow: () => true });
    await expect(request('tools/call')).rejects.toMatchObject({ details: { status: 401 } });
    expect(challenges).toEqual([]);
    expect(first.requests[0]?.headers.authorization).toBe('Bearer token-1');
    expect(second.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });
});
