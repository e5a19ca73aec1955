import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import { startWeb, type TestWeb } from './fakes/test-web.ts';
import type { Settings } from '#shared/api/api.ts';
import type { Citation, CitationBlock, ToolBlock } from '#shared/vocabulary/block.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import {
  type Conversation,
  isMessageRunning,
  type Message,
  type Topic,
} from '#shared/vocabulary/message.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase, temporaryFolder } from './databases.ts';
import { startFakeOpenAi, textChunks, toolCallChunks } from './fakes/fake-openai.ts';
import { delta } from './fakes/openai-streams.ts';
import { hostSays } from './e2e/texts.ts';
import { calls, type Round, says, ScriptedModel } from './fakes/scripted-model.ts';
import { type RunningServer, startServer } from './fixtures/cerise-process.ts';
import { readFrames, ClientState } from './fixtures/sse-reader.ts';
import { ask, finished, openHost, owner } from './host.ts';
import { illegalities } from './legal-conversation.ts';

const model = 'test/scripted';
const tool = 'mcp__web-search__web_search';
const hasType =
  <T extends string>(type: T) =>
  <B extends { type: string }>(block: B): block is B & { type: T } =>
    block.type === type;
const tools = ({ blocks }: Message): ToolBlock[] => blocks.filter(hasType('tool'));
const ourSearches = (message: Message): ToolBlock[] =>
  tools(message).filter(({ serverId }) => serverId === 'web-search');
const citationBlocks = ({ blocks }: Message): CitationBlock[] => blocks.filter(hasType('citation'));
const citationsIn = (message: Message): Citation[] =>
  citationBlocks(message).flatMap(({ citations }) => citations);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

/** A SearXNG that finds three pages for every query, unless a test answers itself. */
async function startEngine(listener?: RequestListener): Promise<TestWeb> {
  const web = await startWeb(
    listener ??
      ((request, response) => {
        const query = new URL(request.url ?? '', 'http://x').searchParams.get('q') ?? '';
        const found = (n: number) => ({
          url: `https://example.com/${encodeURIComponent(query)}/${n}`,
          title: `${query} ${n}`,
          content: `About ${query}.`,
        });
        response.end(JSON.stringify({ results: upTo(3).map(found) }));
      }),
  );
  onTestFinished(() => web[Symbol.asyncDispose]());
  return web;
}

/** Numbers run through the answer, and each list stands somewhere after the tool it came from. */
function expectNumbered(answer: Message, count: number): void {
  expect(citationsIn(answer).map(({ number }) => number)).toEqual(upTo(count));
  for (const { ordinal, toolBlockId } of citationBlocks(answer)) {
    if (toolBlockId === undefined) continue;
    const of = answer.blocks.find(({ id }) => id === toolBlockId);
    expect(of?.type).toBe('tool');
    expect(ordinal).toBeGreaterThan(of?.ordinal ?? Infinity);
  }
}

/** Says yes to every call that asks, or has asked before anybody could listen. */
async function approveAll(host: Host): Promise<void> {
  const asked = new Set<string>();
  const approve = async (toolCallId: string) => {
    if (asked.has(toolCallId)) return;
    asked.add(toolCallId);
    const { argsHash } = await host.approvals.get(owner, toolCallId);
    await host.approvals.decide(owner, toolCallId, {
      decision: 'approve',
      argsHash,
      scope: 'once',
    });
  };
  const end = host.events.subscribe(owner, (event) => {
    if (event.type === 'tool-call-waiting') void approve(event.toolCallId);
  });
  onTestFinished(end);
  for (const { id } of await host.approvals.waiting(owner)) void approve(id);
}

async function open(place: StoreOptions, scripted: ScriptedModel): Promise<Host> {
  const host = await openHost(place, { models: { [model]: scripted } });
  onTestFinished(() => host.close());
  await approveAll(host);
  return host;
}

async function start(
  place: StoreOptions,
  webSearch: Settings['webSearch'],
  ...rounds: Round[]
): Promise<{ host: Host; topic: Topic; scripted: ScriptedModel }> {
  const scripted = new ScriptedModel(...rounds);
  const host = await open(place, scripted);
  await host.settings.set(owner, { fetchAllow: [], ...(webSearch && { webSearch }) });
  return { host, topic: await host.topics.create(owner, { model }), scripted };
}

const searches = (...queries: string[]): Chunk[] =>
  calls(...queries.map((query, n): [string, JsonObject, string] => [tool, { query }, `s${n}`]));
const ofVendor = { url: 'https://vendor.example/', title: 'Of the vendor' };
const providerSources: Chunk = { type: 'vendor-tool-complete', id: 's', citations: [ofVendor] };

describeEachDatabase((_open, fresh) => {
  it('numbers the sources of several searches, of another tool and of the vendor through the answer', async () => {
    const engine = await startEngine();
    const { host, topic, scripted } = await start(
      await fresh(),
      { kind: 'searxng', url: engine.url },
      searches('apples', 'pears'),
      [
        { type: 'text-delta', id: 't', text: 'Once more. ' },
        ...calls([tool, { query: 'cherries' }, 'a'], ['mcp__demo__cite', { topic: 'plums' }, 'b']),
      ],
      [providerSources, ...says('They are fruit [1][10], all of them [13].')],
    );
    const selectedServers = ['web-search', 'demo'];
    const mcp = { enabled: true, mode: 'manual' as const, selectedServers };
    await host.topics.update(owner, topic.id, { mcp });
    const answer = await ask(host, topic.id, 'What are these?');
    expect(answer.status).toBe('success');
    expect(tools(answer).map(({ state }) => state)).toEqual(Array(4).fill('succeeded'));
    expectNumbered(answer, 13);
    const numbered = new Map(citationBlocks(answer).map((b) => [b.toolBlockId, b.citations]));
    for (const { id, toolName, arguments: args } of tools(answer)) {
      const titles = numbered.get(id)?.map(({ title }) => title);
      const query = args['query'] as string;
      if (toolName === 'web_search') expect(titles).toEqual(upTo(3).map((n) => `${query} ${n}`));
      else expect(titles).toHaveLength(3);
    }
    expect(citationsIn(answer)[12]).toEqual({ ...ofVendor, number: 13 });
    const [, second, third] = scripted.requests.map(({ messages }) => JSON.stringify(messages));
    expect(second).toContain('https://example.com/apples/1');
    expect(third).toContain('https://example.com/cherries/3');
    expect(illegalities(await host.topics.snapshot(owner, topic.id))).toEqual([]);
  });

  it('goes on with the numbers when the host ends in the middle of a round', async () => {
    const engine = await startEngine();
    const place = await fresh();
    const { promise: streaming, resolve: isStreaming } = Promise.withResolvers<void>();
    const { host, topic, scripted } = await start(
      place,
      { kind: 'searxng', url: engine.url },
      searches('apples', 'pears'),
      async function* (_request, signal) {
        yield [providerSources, { type: 'text-delta', id: 't', text: 'Half' }];
        isStreaming();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      searches('cherries'),
      says('Done [8].'),
    );
    const { answerId } = await host.messages.send(owner, topic.id, { text: 'go' });
    await streaming;
    await host.close();
    const again = await open(place, scripted);
    const answer = await finished(again, topic.id, answerId);
    expect(answer.status).toBe('success');
    expect(ourSearches(answer)).toHaveLength(3);
    expectNumbered(answer, 10);
    expect(citationsIn(answer)[6]).toMatchObject(ofVendor);
    expect(citationsIn(answer)[9]).toMatchObject({ title: 'cherries 3' });
  });

  it('goes on with the numbers after kill -9 while a search runs', async () => {
    const { home, databaseUrl } = await fresh();
    const env = { CERISE_HOME: home, ...(databaseUrl && { CERISE_DATABASE_URL: databaseUrl }) };
    const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
    const engine = await startEngine((request, response) => {
      if (request.url?.includes('pears')) return wasAsked();
      const n = /q=(\w+)/.exec(request.url ?? '')?.[1];
      response.end(JSON.stringify({ results: [{ url: `https://example.com/${n}`, title: n }] }));
    });
    const vendor = await startFakeOpenAi();
    onTestFinished(() => vendor.close());
    const call = (query: string) => ({ id: query, name: tool, arguments: `{"query":"${query}"}` });
    vendor.respond(
      { chunks: toolCallChunks([call('apples')]) },
      { chunks: toolCallChunks([call('pears'), call('plums')]) },
      { chunks: toolCallChunks([call('cherries')]) },
      {
        chunks: [
          delta({}, null, { citations: ['https://vendor.example/'] }),
          ...textChunks(['So.']),
        ],
      },
    );
    let server = await startServer(env);
    await server.json('POST', '/api/providers', {
      name: 'vendor',
      baseUrl: vendor.baseUrl,
      models: ['fake-model'],
    });
    await server.json('PUT', '/api/settings', {
      defaultModel: 'vendor/fake-model',
      webSearch: { kind: 'searxng', url: engine.url },
    });
    const topic = await server.json<Topic>('POST', '/api/topics', { title: 'Topic' });
    const path = `/api/topics/${topic.id}/messages`;
    const { answerId } = await server.json<{ answerId: string }>('POST', path, { text: 'go' });
    const client = new ClientState();
    await follow(server, topic.id, client, answerId, (answer) => {
      const plums = tools(answer).find(({ arguments: args }) => args['query'] === 'plums');
      return plums?.state === 'succeeded' && citationsIn(answer).length === 2;
    });
    await asked;
    server.child.kill('SIGKILL');
    expect(await server.ended).toBe('SIGKILL');
    server = await startServer(env);
    const answer = await follow(server, topic.id, client, answerId, (m) => !isMessageRunning(m));
    expect(client.problems).toEqual([]);
    expect(answer.status).toBe('success');
    expect(ourSearches(answer).map(({ state }) => state)).toEqual([
      'succeeded',
      'outcome_unknown',
      'succeeded',
      'succeeded',
    ]);
    expectNumbered(answer, 4);
    expect(citationsIn(answer).map(({ title, url }) => title ?? url)).toEqual([
      'apples',
      'plums',
      'cherries',
      'https://vendor.example/',
    ]);
  });
});

/** Reads a topic's events until the answer is as wished; approves what asks on the way. */
async function follow(
  server: RunningServer,
  topicId: string,
  client: ClientState,
  answerId: string,
  condition: (answer: Message) => boolean,
): Promise<Message> {
  const after = client.lastId === undefined ? '' : `?after=${client.lastId}`;
  const response = await server.send('GET', `/api/topics/${topicId}/events${after}`);
  const decided = new Set<string>();
  const find = ({ messages }: Conversation) => messages.find(({ id }) => id === answerId);
  await readFrames(response, (frame) => {
    client.take(frame);
    const answer = client.conversation && find(client.conversation);
    if (!answer) return false;
    for (const { toolCallId, argsHash, approval } of tools(answer)) {
      if (!approval || decided.has(toolCallId)) continue;
      decided.add(toolCallId);
      const decision = { decision: 'approve', argsHash };
      // What a restart shows at first may have been decided before it: that is refused, and no matter here.
      void server
        .send('POST', `/api/tool-calls/${toolCallId}/decision`, decision)
        .catch(() => undefined);
    }
    return condition(answer);
  });
  const answer = client.conversation && find(client.conversation);
  if (!answer || !condition(answer)) throw new Error('the stream ended too early');
  return answer;
}

describe('a search engine', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  const newFolder = () => temporaryFolder(cleanups);
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });
  const hit = { url: 'https://example.com/a?b=1&c', title: 'A <b>page</b>' };

  it.each([
    ['brave', { web: { results: [{ ...hit, description: 'Said' }] } }],
    ['tavily', { query: 'q', results: [{ ...hit, content: 'Said', score: 0.9 }] }],
    ['searxng', { query: 'q', results: [{ ...hit, content: 'Said', engine: 'x' }] }],
  ] as const)('of the kind %s gives citations', async (kind, body) => {
    const engine = await startEngine((_request, response) => response.end(JSON.stringify(body)));
    const settings = { kind, url: engine.url, apiKey: 'k3y' };
    const { host, topic } = await start(await newFolder(), settings, searches('q'), says('ok'));
    const answer = await ask(host, topic.id, 'go');
    expect(citationsIn(answer)).toEqual([
      { number: 1, url: hit.url, title: 'A page', snippet: 'Said' },
    ]);
    const { method, headers } = engine.requests[0] ?? {};
    expect(method).toBe(kind === 'tavily' ? 'POST' : 'GET');
    expect(JSON.stringify(headers)).toContain('k3y');
    expect(JSON.stringify(answer)).not.toContain('k3y');
  });

  const chunk = Buffer.alloc(64 * 1024, 'x');
  const failing: [string, RequestListener | undefined, RegExp][] = [
    ['is not set up', undefined, hostSays('search-not-set-up')],
    ['answers 500', (_request, response) => response.writeHead(500).end('oops'), /status 500/],
    ['answers HTML', (_request, response) => response.end('<html>Hi</html>'), /search\.formats/],
    [
      'answers another list',
      (_request, response) => response.end('{"results":5}'),
      hostSays('search-unreadable'),
    ],
    [
      'answers 10 MB',
      (_request, response) => {
        let left = 160;
        const write = () => {
          while (left > 0 && !response.destroyed) {
            left -= 1;
            if (!response.write(chunk)) return void response.once('drain', write);
          }
          response.end();
        };
        write();
      },
      /larger than 5 MiB/,
    ],
    ['breaks off', (request) => request.socket.destroy(), hostSays('fetch-failed')],
  ];

  it.each(failing)('that %s leaves a failed call and no sources', async (_name, listener, said) => {
    const engine = listener && (await startEngine(listener));
    const settings = engine && { kind: 'searxng' as const, url: engine.url };
    const { host, topic, scripted } = await start(
      await newFolder(),
      settings,
      searches('q'),
      says('It cannot be searched.'),
    );
    const answer = await ask(host, topic.id, 'go');
    expect(answer.status).toBe('success');
    expect(answer.blocks.map(({ type }) => type)).toEqual(['tool', 'main_text']);
    const [call] = tools(answer);
    expect(call?.result?.isError).toBe(true);
    expect(JSON.stringify(call?.result)).toMatch(said);
    expect(JSON.stringify(scripted.requests[1]?.messages.at(-1))).toMatch(said);
  });

  it('that hangs is left when the answer is stopped', async () => {
    const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const engine = await startEngine((_request, response) => {
      response.on('close', leave);
      wasAsked();
    });
    const settings = { kind: 'searxng' as const, url: engine.url };
    const { host, topic } = await start(await newFolder(), settings, searches('q'), says('no'));
    const { answerId } = await host.messages.send(owner, topic.id, { text: 'go' });
    await asked;
    await host.messages.stop(owner, answerId);
    const answer = await finished(host, topic.id, answerId);
    expect([answer.status, tools(answer)[0]?.state]).toEqual(['stopped', 'cancelled']);
    expect(citationBlocks(answer)).toEqual([]);
    await left;
  });
});
