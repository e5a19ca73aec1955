import { describe, expect, it } from 'vitest';
import type { WebSearchSettings } from '../toolkit/context.ts';
import { callTool, connectClient } from '../../../../test/fakes/builtin-client.ts';
import { startWeb } from '../../../../test/fakes/test-web.ts';
import { createWebSearchServer } from './web-search.ts';

async function search(
  settings: WebSearchSettings | undefined,
  args: Record<string, unknown> = { query: 'cherry 樱桃' },
): Promise<{ text: string; isError: boolean; structured: unknown }> {
  const client = await connectClient(createWebSearchServer({ webSearch: async () => settings }));
  const result = await callTool(client, 'web_search', args);
  await client.close();
  return result;
}

const hits = [
  {
    title: 'The <b>Cherry</b>',
    url: 'https://example.com/cherry',
    text: 'A <strong>fruit</strong>.',
  },
  { title: 'Bad', url: 'javascript:alert(1)', text: 'x' },
  { url: 'https://example.org/', text: null },
];
const results = [
  { title: 'The Cherry', url: 'https://example.com/cherry', snippet: 'A fruit.' },
  { title: 'example.org', url: 'https://example.org/', snippet: '' },
];

describe('web_search', () => {
  it('asks SearXNG', async () => {
    await using web = await startWeb((_request, response) => {
      response.end(
        JSON.stringify({
          results: hits.map(({ text, ...hit }) => Object.assign(hit, { content: text })),
        }),
      );
    });
    const { structured, text } = await search({ kind: 'searxng', url: web.url });
    expect(structured).toEqual({ results });
    expect(text).toBe(
      'The Cherry\nhttps://example.com/cherry\nA fruit.\n\nexample.org\nhttps://example.org/',
    );
    const asked = new URL(web.requests[0]?.url ?? '', web.url);
    expect(asked.pathname).toBe('/search');
    expect(Object.fromEntries(asked.searchParams)).toEqual({ q: 'cherry 樱桃', format: 'json' });
  });

  it('reads no answer with so many parts that this would hold up everybody', async () => {
    const crowd = Array.from({ length: 100_000 }, () => ({}));
    await using web = await startWeb((_request, response) => {
      response.end(JSON.stringify({ results: [], crowd }));
    });
    const { text, isError } = await search({ kind: 'searxng', url: web.url });
    expect({ text, isError }).toEqual({ text: expect.stringContaining('return a list'), isError });
    expect(isError).toBe(true);
  });

  it('asks Brave with its key', async () => {
    await using web = await startWeb((_request, response) => {
      const found = hits.map(({ text, ...hit }) => Object.assign(hit, { description: text }));
      response.end(JSON.stringify({ web: { results: found } }));
    });
    const settings = { kind: 'brave', url: `${web.url}res`, apiKey: 'k3y' } as const;
    expect((await search(settings, { query: 'x', count: 1 })).structured).toEqual({
      results: results.slice(0, 1),
    });
    expect(web.requests[0]).toMatchObject({
      url: '/res?q=x&count=1',
      headers: { 'x-subscription-token': 'k3y' },
    });
  });

  it('asks Tavily with its key', async () => {
    await using web = await startWeb((_request, response) => {
      response.end(
        JSON.stringify({
          results: hits.map(({ text, ...hit }) => Object.assign(hit, { content: text })),
        }),
      );
    });
    const { structured } = await search({ kind: 'tavily', url: web.url, apiKey: 'k3y' });
    expect(structured).toEqual({ results });
    expect(web.requests[0]).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer k3y', 'content-type': 'application/json' },
    });
  });

  it('tells how to set it up when it is not', async () => {
    for (const settings of [undefined, { kind: 'searxng' } as const]) {
      const { isError, text } = await search(settings);
      expect(isError).toBe(true);
      expect(text).toContain('SearXNG');
    }
  });

  it('never shows the key, follows the engine to no private address and survives nonsense', async () => {
    await using canary = await startWeb();
    await using web = await startWeb((request, response) => {
      if (request.url?.startsWith('/moved')) {
        response.writeHead(302, { location: canary.url }).end();
      } else if (request.url?.startsWith('/denied')) response.writeHead(401).end('k3y');
      else response.end('<html>k3y</html>');
    });
    for (const path of ['moved', 'denied', 'html']) {
      const settings = { kind: 'brave', url: web.url + path, apiKey: 'k3y' } as const;
      const { isError, text } = await search(settings);
      expect(isError).toBe(true);
      expect(text).not.toContain('k3y');
    }
    expect(canary.connections()).toBe(0);
  });

  it('gives plain text on one line, and skips what is no hit', async () => {
    const title = ' Tom &amp; <b>Jerry</b>&#39;s\n&lt;script&gt; &unknown; &#x4f60; ';
    const results = [null, 5, { url: 'https://example.com/', title, content: '\n' }, {}];
    await using web = await startWeb((_request, response) => {
      response.end(JSON.stringify({ results, answers: ['x'], unresponsive_engines: [['a', 'b']] }));
    });
    const { structured } = await search({ kind: 'searxng', url: web.url });
    expect(structured).toEqual({
      results: [
        { title: "Tom & Jerry's <script> &unknown; 你", url: 'https://example.com/', snippet: '' },
      ],
    });
  });

  it.each([
    ['searxng', 403, /HTTP status 403.*"json" in search.formats/],
    ['brave', 401, /HTTP status 401.*Check the key/],
    ['tavily', 432, /HTTP status 432.*Check the key/],
  ] as const)('says what to do when %s refuses', async (kind, status, said) => {
    await using web = await startWeb((_request, response) => response.writeHead(status).end());
    const { isError, text } = await search({ kind, url: web.url, apiKey: 'k3y' });
    expect([isError, text]).toEqual([true, expect.stringMatching(said)]);
  });

  it('does not call it nothing when no engine behind SearXNG answered', async () => {
    const unresponsive_engines = [['google', 'CAPTCHA'], 'bing'];
    await using web = await startWeb((_request, response) => {
      response.end(JSON.stringify({ results: [], unresponsive_engines }));
    });
    const { isError, text } = await search({ kind: 'searxng', url: web.url });
    expect([isError, text]).toEqual([
      true,
      'None of the SearXNG engines responded (google: CAPTCHA; bing).',
    ]);
  });

  it('says so when nothing was found', async () => {
    await using web = await startWeb((_request, response) => void response.end('{}'));
    const { text, isError } = await search({ kind: 'brave', url: web.url });
    expect([text, isError]).toEqual(['No results found for "cherry 樱桃".', false]);
  });
});
