import { describe, expect, it } from 'vitest';
import type { CreatedKeyView } from '#shared/api/people-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { startEcho } from './fakes/echo-server.ts';
import { openApi, type TestApi } from './fixtures/http.ts';
import { addPerson } from './fixtures/people.ts';

/** Calls of all clients together; `CERISE_MANY_CALLS=10000` for the whole of it. */
const calls = Number(process.env.CERISE_MANY_CALLS ?? 1000);
const clients = 50;
const modern = '2026-07-28';
const meta = 'io.modelcontextprotocol';

interface Answer {
  id: number;
  result?: { content: { text: string }[]; isError?: boolean };
}

/** What was answered: as JSON, or in a stream where that took its time. */
async function answerIn(response: Response): Promise<Answer> {
  const said = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const data = isStream ? said.split('\n').findLast((line) => line.startsWith('data: {')) : said;
  return JSON.parse(data?.replace('data: ', '') ?? '') as Answer;
}

/** A client that numbers its requests as all others do. */
async function openClient(api: TestApi, key: string, isModern: boolean) {
  const base = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = (headers: Record<string, string>, method: string, params: JsonObject, id = 0) =>
    api.raw('POST', '/mcp/echo', {
      headers: { ...base, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
  if (isModern) {
    const headers = {
      'mcp-protocol-version': modern,
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
    };
    const _meta = { [`${meta}/protocolVersion`]: modern, [`${meta}/clientCapabilities`]: {} };
    return (id: number, words: string) =>
      post(headers, 'tools/call', { name: 'echo', arguments: { words }, _meta }, id);
  }
  const clientInfo = { name: 'one of many', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const response = await post({}, 'initialize', hello);
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  return (id: number, words: string) =>
    post(session, 'tools/call', { name: 'echo', arguments: { words } }, id);
}

describe('many programs at once', () => {
  it(
    'T26: each get their own results, with equal ids and four keys',
    { timeout: 300_000 },
    async () => {
      const echo = await startEcho();
      const api = await openApi();
      const server = {
        type: 'streamableHttp',
        name: 'echo',
        baseUrl: echo.url,
        autoApprove: ['*'],
      };
      await api.json('POST', '/api/servers', { ...server, shared: true });
      const other = await addPerson(api, 'grace', 'admin');
      const key = { name: 'a program', scopes: ['chat'], trusted: true };
      const keys = await Promise.all(
        [api, api, other, other].map(
          async (who) => (await who.json<CreatedKeyView>('POST', '/api/keys', key)).key,
        ),
      );
      // What runs unasked by the settings of a server is its owner's to say; others say so by a rule.
      const { version } = await other.json<{ version: string }>('GET', '/api/policy');
      const rules = [{ action: 'allow', serverId: '*', toolName: 'echo' }];
      const policy = { rules, trustedServers: [], safeToRepeat: [], version };
      expect((await other.send('PUT', '/api/policy', policy)).status).toBe(200);
      const all = await Promise.all(
        Array.from({ length: clients }, (_, at) =>
          openClient(api, keys[at % 4] ?? '', at % 2 === 0),
        ),
      );
      const wrong: string[] = [];
      await Promise.all(
        all.map(async (call, at) => {
          for (let id = 1; id <= calls / clients; id++) {
            const words = `client ${at}, call ${id}`;
            const answer = await answerIn(await call(id, words));
            const text = answer.result?.content[0]?.text;
            if (answer.id !== id || text !== words)
              wrong.push(`${words}: ${JSON.stringify(answer)}`);
          }
        }),
      );
      expect(wrong).toEqual([]);
      expect(echo.calls.length).toBe(Math.floor(calls / clients) * clients);
      expect(new Set(echo.calls).size).toBe(echo.calls.length);
    },
  );
});
