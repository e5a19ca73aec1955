import { describe, expect, it, onTestFinished } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { type ScriptedHttp, startScripted } from '../../../test/fixtures/http-channel.ts';
import { allowHostOf, createHttp, type Http } from './http-client.ts';
import { type HttpRequest, requestText } from './http-request.ts';

function httpFor(...servers: ScriptedHttp[]): Http {
  const http = createHttp({
    connectTime: usualLimits.connectTime,
    allow: (host, port) => servers.some(({ url }) => allowHostOf(url)(host, port)),
  });
  onTestFinished(() => http.close());
  return http;
}

describe('a small request', () => {
  it('brings back status, headers, text and where it ended', async () => {
    const server = await startScripted(({ path, headers, body }, response) => {
      if (path === '/mcp') return response.writeHead(307, { location: '/there' }).end();
      response.writeHead(418, { 'X-Many': ['a', 'b'] }).end(`${body} ${String(headers['x-in'])} é`);
    });
    const request: HttpRequest = {
      method: 'POST',
      url: server.url,
      headers: { 'x-in': 'in', accept: 'text/x' },
      body: 'body',
    };
    const answer = await requestText(httpFor(server), request);
    expect(answer).toMatchObject({ status: 418, text: 'body in é' });
    expect(answer.headers['x-many']).toBe('a, b');
    expect(answer.url.pathname).toBe('/there');
    expect(server.requests[1]?.headers['accept']).toBe('text/x');
  });

  it('follows a redirect to another origin only without a message and credentials', async () => {
    const second = await startScripted((_received, response) => response.end('second'));
    const first = await startScripted((_received, response) => {
      response.writeHead(307, { location: second.url.href }).end();
    });
    const http = httpFor(first, second);
    const headers = { authorization: 's3cret' };
    expect(await requestText(http, { method: 'GET', url: first.url, headers })).toMatchObject({
      text: 'second',
    });
    const post: HttpRequest = { method: 'POST', url: first.url, headers, body: 's3cret' };
    await expect(requestText(http, post)).rejects.toMatchObject({
      code: 'http_error',
      message: expect.stringContaining('a different origin'),
    });
    expect(second.requests).toHaveLength(1);
    expect(JSON.stringify(second.requests)).not.toContain('s3cret');
  });

  it('is bounded in size and time, and can be cancelled', async () => {
    const server = await startScripted(({ path }, response) => {
      if (path === '/large') response.end('x'.repeat(2000));
      else response.write('drip');
    });
    const http = httpFor(server);
    const at = (path: string): HttpRequest => ({ method: 'GET', url: new URL(path, server.url) });
    const large = requestText(http, { ...at('/large'), maxBytes: 1999 });
    await expect(large).rejects.toMatchObject({ code: 'result_too_large' });
    expect(await requestText(http, { ...at('/large'), maxBytes: 2000 })).toMatchObject({
      status: 200,
    });
    const slow = requestText(http, { ...at('/slow'), time: 50 });
    await expect(slow).rejects.toMatchObject({ code: 'timed_out' });
    const stop = new AbortController();
    const stopped = requestText(http, { ...at('/slow'), signal: stop.signal });
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    const late = requestText(http, { ...at('/slow'), signal: stop.signal });
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('does not reach private addresses that nobody allowed', async () => {
    const canary = await startScripted((_received, response) => response.end());
    const request = requestText(httpFor(), { method: 'GET', url: canary.url });
    await expect(request).rejects.toMatchObject({ code: 'address_blocked' });
    expect(canary.connections()).toBe(0);
  });
});
