import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError, messageOf } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isCrowdedJson } from '#shared/vocabulary/json.ts';
import type { BuiltinContext, WebSearchSettings } from '../toolkit/context.ts';
import { newServer } from '../toolkit/new-server.ts';
import { readsOutside, textResult } from '../toolkit/tool-result.ts';
import { portOf } from '../../http/address-policy.ts';
import { guardedFetch, type GuardedRequest } from './guarded-fetch.ts';
import { searchAddress } from './search-address.ts';

/** A type, not an interface, so that it is a JsonObject as well. */
type SearchResult = { title: string; url: string; snippet: string };

/** The server `web-search`: one tool over the search engine that the admin has set up. */
export function createWebSearchServer(context: Pick<BuiltinContext, 'webSearch'>): McpServer {
  const server = newServer('web-search', 'Web search', 'Cite the sources you use.');
  server.registerTool(
    'web_search',
    {
      title: 'Web search',
      description: 'Searches the web and returns titles, URLs and excerpts of the best results.',
      inputSchema: z.object({
        query: z.string().trim().min(1).max(400).describe('What to look for, in a few words'),
        count: z.int().min(1).max(20).default(5).describe('Number of results'),
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
      // Without numbers: those of the citations run through the whole answer, not through one search.
      const found = results.map(({ title, url, snippet }) => `${title}\n${url}\n${snippet}`.trim());
      return textResult(found.join('\n\n') || `No results found for "${query}".`, { results });
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
  const base = URL.parse(searchAddress(settings));
  if (!base) throw notConfigured();
  const allow = [`${base.hostname}:${portOf(base)}`];
  const request = engine.request(base, settings.apiKey ?? '', query, count);
  const { body } = await guardedFetch({ ...request, allow, signal }).catch((error: unknown) => {
    throw withAdvice(error, engine);
  });
  return readResults(engine, new TextDecoder().decode(body)).slice(0, count);
}

/** The engine's refusal, with what an admin can do about it. */
function withAdvice(error: unknown, { advice }: Engine): unknown {
  if (!(error instanceof CeriseError) || error.code !== 'http_error') return error;
  return new CeriseError('http_error', say('one-after-other')`${messageOf(error)} ${advice}`, {
    cause: error,
  });
}

interface Engine {
  /** What to look at when it refuses or answers nonsense. */
  advice: Words;
  request(
    base: URL,
    apiKey: string,
    query: string,
    count: number,
  ): Pick<GuardedRequest, 'url' | 'headers' | 'body'>;
  results: z.ZodType<Partial<Record<'title' | 'url' | 'snippet', string | undefined>>[]>;
}

const text = z.string().optional().catch(undefined);
const keyAdvice = say('search-key')`Check the key and its quota in Settings → Host.`;

/** A list of hits in the engine's own words; what is no hit in it does not spoil the others. */
function hits<T extends z.ZodRawShape>(shape: T) {
  return z
    .array(z.object(shape).or(z.unknown().transform(() => null)))
    .transform((list) => list.filter((hit) => hit !== null));
}

/** SearXNG and Tavily call the excerpt `content`. */
const contentHits = hits({ title: text, url: text, content: text }).transform((list) =>
  list.map(({ title, url, content }) => ({ title, url, snippet: content })),
);

const engines: Record<WebSearchSettings['kind'], Engine> = {
  searxng: {
    advice: say(
      'search-searxng',
    )`The SearXNG server must include "json" in search.formats and must not rate-limit Cerise.`,
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
      .object({ results: contentHits, unresponsive_engines: z.array(z.unknown()).catch([]) })
      .transform(({ results, unresponsive_engines: silent }) => {
        if (results.length === 0 && silent.length > 0) throw noEngine(silent);
        return results;
      }),
  },
  brave: {
    advice: keyAdvice,
    request(base, apiKey, query, count) {
      const url = new URL(base);
      url.searchParams.set('q', query);
      url.searchParams.set('count', String(count));
      const headers = { accept: 'application/json', 'x-subscription-token': apiKey };
      return { url: url.href, headers };
    },
    results: z
      .object({
        web: z.object({ results: hits({ title: text, url: text, description: text }) }).optional(),
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
    advice: keyAdvice,
    request: (base, apiKey, query, count) => ({
      url: base.href,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: { query, max_results: count },
    }),
    results: z.object({ results: contentHits }).transform(({ results }) => results),
  },
};

/** Only web addresses are passed on, with plain text: engines mark the words they found with tags. */
function readResults(engine: Engine, body: string): SearchResult[] {
  let json: unknown;
  if (isCrowdedJson(body)) throw unreadable(engine);
  try {
    json = JSON.parse(body);
  } catch (cause) {
    throw unreadable(engine, cause);
  }
  const parsed = engine.results.safeParse(json);
  if (!parsed.success) throw unreadable(engine, parsed.error);
  return parsed.data.flatMap(({ title, url = '', snippet = '' }) => {
    const address = URL.parse(url);
    if (address?.protocol !== 'http:' && address?.protocol !== 'https:') return [];
    return [
      {
        title: plain(title ?? '', 300) || address.host,
        url: address.href,
        snippet: plain(snippet, 1000),
      },
    ];
  });
}

const references: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

function plain(marked: string, max: number): string {
  const unmarked = marked.slice(0, 8 * max).replaceAll(/<\/?(?:strong|b|em|mark)>/gi, '');
  const decoded = unmarked.replaceAll(
    /&(?:#(\d{2,6})|#x([\da-f]{2,5})|([a-z]{2,4}));/gi,
    (...it) => {
      const [whole, decimal, hex, name] = it as string[];
      if (name) return references[name.toLowerCase()] ?? whole ?? '';
      return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
    },
  );
  return truncate(decoded.replaceAll(/\s+/g, ' ').trim(), max);
}

function unreadable({ advice }: Engine, cause?: unknown): CeriseError {
  const message = say('search-unreadable')`The search engine didn't return a list of results.`;
  return new CeriseError('unreadable_response', say('one-after-other')`${message} ${advice}`, {
    cause,
  });
}

/** A SearXNG server whose own engines are all blocked has not found out that there is nothing. */
function noEngine(silent: unknown[]): CeriseError {
  const names = silent.slice(0, 10).map((engine) => [engine].flat().join(': '));
  const said = truncate(names.join('; '), 300);
  return new CeriseError(
    'http_error',
    say('search-silent')`None of the SearXNG engines responded (${said}).`,
  );
}

function notConfigured(): CeriseError {
  return new CeriseError(
    'bad_setting',
    say(
      'search-not-set-up',
    )`Web search isn't set up. An admin can set it up in Settings → Host, with the URL of a SearXNG server or a key for Brave or Tavily.`,
  );
}
