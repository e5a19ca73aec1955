import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StatementSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { describeOnSqlite } from '../databases.ts';
import { LogFlush } from '#store/database/log-flush.ts';
import { token } from '../fixtures/http.ts';
import { openV1 } from '../fixtures/v1.ts';

const chunks = [{ content: 'Hello.' }, {}].map((delta, at) => {
  const choices = [{ index: 0, delta, finish_reason: at === 0 ? null : 'stop' }];
  return `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices })}\n\n`;
});

/** A vendor that says what it answered to once it is asked. */
async function startVendor(onAsked: (messages: unknown) => void): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') return void response.end('{"data":[]}');
    onAsked(((await json(request)) as { messages: unknown }).messages);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunks.join('')}data: [DONE]\n\n`);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** The statements that SQLite is given, in order. */
function watchStatements() {
  const spies = (['run', 'all'] as const).map((name) => vi.spyOn(StatementSync.prototype, name));
  const statements = () => {
    const made = spies.flatMap(({ mock }) =>
      mock.contexts.map((context, at) => ({
        sql: (context as StatementSync).sourceSQL,
        order: mock.invocationCallOrder[at] ?? 0,
      })),
    );
    return made.toSorted((a, b) => a.order - b.order).map(({ sql }) => sql);
  };
  return { statements, forget: () => spies.forEach((spy) => spy.mockClear()) };
}

const said = [
  { role: 'user' as const, content: 'Hello?' },
  { role: 'assistant' as const, content: 'Yes?' },
  { role: 'user' as const, content: 'Say hello.' },
];

describeOnSqlite((_open, fresh) => {
  it('asks the model after one commit, and reads nothing back that was just written', async () => {
    const asked: { messages: unknown; statements: string[]; flushes: number }[] = [];
    const baseUrl = await startVendor((messages) => {
      asked.push({ messages, statements: statements(), flushes: flushes.mock.calls.length });
    });
    const api = await openV1([], { place: await fresh() });
    await api.json('POST', '/api/providers', {
      name: 'vendor',
      kind: 'openai-chat',
      baseUrl,
      models: ['m'],
    });
    const request = { model: 'vendor/m', messages: said, stream: true, cerise: { servers: [] } };
    const ask = async () => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const init = { method: 'POST', headers, body: JSON.stringify(request) };
      const answer = await api.fetch('http://cerise.test/v1/chat/completions', init);
      expect(await answer.text()).toContain('Hello.');
    };
    const { statements, forget } = watchStatements();
    const flushes = vi.spyOn(LogFlush.prototype, 'flush');
    onTestFinished(() => void vi.restoreAllMocks());
    // A first one, so that what a host does when it starts is over.
    await ask();
    forget();
    flushes.mockClear();
    await ask();
    const [, second] = asked;
    expect(second?.messages).toEqual(said);
    expect(second?.flushes).toBe(1);
    const made = second?.statements ?? [];
    const begun = made.indexOf('begin immediate');
    expect(made.filter((sql) => sql === 'begin immediate')).toHaveLength(1);
    const ended = made.indexOf('commit');
    const read = (from: number, to?: number) =>
      made.slice(from, to).filter((sql) => /^(select|with)\b/.test(sql));
    // What is said of providers, the provider, and whether the history repeats an answer of ours. How much is stored is
    // known for seconds where there is plenty of room.
    expect(read(0, begun)).toHaveLength(3);
    // Whether the person is still there.
    expect(read(begun, ended)).toHaveLength(1);
    // Whether what models are sent is recorded.
    expect(read(ended)).toHaveLength(1);
  });
});
