import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError } from '#shared/errors.ts';
import { truncate } from '#shared/text.ts';
import { portOf } from '../address-policy.ts';
import { guardedFetch, type GuardedRequest } from './guarded-fetch.ts';
import type { BuiltinContext, WebSearchSettings } from './index.ts';
import { newServer, readsOutside, textResult } from './tool-result.ts';

/** A type, not an interface, so that it is a JsonObject as well. */
type SearchResult = { title: string; url: string; snippet: string };

/** The server `web-search`: one tool over the search engine that the admin has set up. */
export function createWebSearchServer(context: Pick<BuiltinContext, 'webSearch'>): McpServer {
  const server = newServer('web-search', 'Web search', 'Cite the sources you use by their URL.');
  server.registerTool(
    'web_search',
    {
      title: 'Web search',
      description: 'Searches the web and returns titles, addresses and excerpts of the best pages.',
      inputSchema: z.object({
        query: z.string().trim().min(1).max(400).describe('What to look for, in a few words'),
        count: z.int().min(1).max(20).default(5).describe('How many results'),
      }),
      outputSchema: z.object({
        results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
      }),
      annotations: readsOutside,
    },
    async ({ query, count }, { mcpReq }) => {
      const settings = await context.webSearch?.();
      if (!settings) throw notConfigured();
      const results = await search(settings, query, count, mcpReq.signal);
      const text = results.map(
        ({ title, url, snippet }, index) => `${index + 1}. ${title}\n${url}\n${snippet}`,
      );
      return textResult(text.join('\n\n') || `Nothing was found for "${query}".`, {
        results,
      });
    },
  );
  return server;
}

async function search(
  settings: WebSearchSettings,
  query: string,
  count: number,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const engine = engines[settings.kind];
  const base = URL.parse(settings.url ?? engine.url ?? '');
  if (!base) throw notConfigured();
  const allow = [`${base.hostname}:${portOf(base)}`];
  const request = engine.request(base, settings.apiKey ?? '', query, count);
  const { body } = await guardedFetch({ ...request, allow, signal });
  return readResults(engine, new TextDecoder().decode(body)).slice(0, count);
}

interface Engine {
  /** Its public address; absent where everybody runs their own. */
  url?: string;
  request(
    base: URL,
    apiKey: string,
    query: string,
    count: number,
  ): Pick<GuardedRequest, 'url' | 'headers' | 'body'>;
  results: z.ZodType<{ title?: string; url?: string; snippet?: string }[]>;
}

const text = z.string().optional().catch(undefined);

const engines: Record<WebSearchSettings['kind'], Engine> = {
  searxng: {
    request(base, apiKey, query) {
      const url = new URL(base);
      if (!url.pathname.endsWith('/search')) {
        url.pathname = `${url.pathname.replace(/\/$/, '')}/search`;
      }
      url.searchParams.set('q', query);
      url.searchParams.set('format', 'json');
      return { url: url.href, ...(apiKey && { headers: { authorization: `Bearer ${apiKey}` } }) };
    },
    results: z
      .object({ results: z.array(z.object({ title: text, url: text, content: text })) })
      .transform(({ results }) =>
        results.map(({ title, url, content }) => ({ title, url, snippet: content })),
      ),
  },
  brave: {
    url: 'https://api.search.brave.com/res/v1/web/search',
    request(base, apiKey, query, count) {
      const url = new URL(base);
      url.searchParams.set('q', query);
      url.searchParams.set('count', String(count));
      const headers = { accept: 'application/json', 'x-subscription-token': apiKey };
      return { url: url.href, headers };
    },
    results: z
      .object({
        web: z
          .object({ results: z.array(z.object({ title: text, url: text, description: text })) })
          .optional(),
      })
      .transform(({ web }) =>
        (web?.results ?? []).map(({ title, url, description }) => ({
          title,
          url,
          snippet: description,
        })),
      ),
  },
  tavily: {
    url: 'https://api.tavily.com/search',
    request: (base, apiKey, query, count) => ({
      url: base.href,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: { query, max_results: count },
    }),
    results: z
      .object({ results: z.array(z.object({ title: text, url: text, content: text })) })
      .transform(({ results }) =>
        results.map(({ title, url, content }) => ({ title, url, snippet: content })),
      ),
  },
};

/** Only web addresses are passed on; engines mark the words they found with tags, which go. */
function readResults(engine: Engine, body: string): SearchResult[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (cause) {
    throw unreadable(cause);
  }
  const parsed = engine.results.safeParse(json);
  if (!parsed.success) throw unreadable(parsed.error);
  return parsed.data.flatMap(({ title, url = '', snippet = '' }) => {
    const address = URL.parse(url);
    if (address?.protocol !== 'http:' && address?.protocol !== 'https:') return [];
    return [
      {
        title: plain(title ?? address.host, 300),
        url: address.href,
        snippet: plain(snippet, 1000),
      },
    ];
  });
}

function plain(marked: string, max: number): string {
  return truncate(marked.replaceAll(/<\/?(strong|b|em|mark)>/gi, '').trim(), max);
}

function unreadable(cause: unknown): CeriseError {
  const message =
    'The search engine answered with something that is no list of results. ' +
    'A SearXNG server must have "json" among its search.formats.';
  return new CeriseError('unreadable_response', message, { cause });
}

function notConfigured(): CeriseError {
  return new CeriseError(
    'bad_setting',
    'Web search is not set up. An admin sets it up in Settings → web search: the URL of a SearXNG ' +
      'server, or a key for Brave or Tavily.',
  );
}
