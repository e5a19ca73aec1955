import { expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { listen } from './fakes/loopback.ts';
import { openApi } from './fixtures/http.ts';
import { quietLogger } from './host.ts';

const secrets = ['secret-of-a-header', 'secret-of-a-token', 'secret-of-the-address'] as const;
const [inHeader, inToken, inAddress] = secrets;

it.each(['an error', 'a refusal', 'no message'])(
  'T23: a server that repeats what it was sent, in %s, gives no secret away to people or the log',
  async (way) => {
    const server = await listen(async (request) => {
      const { headers, url } = request;
      const message = `Denied: ${headers.get('authorization')} ${headers.get('x-key')} ${url}`;
      const { id } = (await request.json().catch(() => ({}))) as { id?: number };
      if (way === 'no message') return new Response(message);
      if (way === 'a refusal') return Response.json({ message }, { status: 403 });
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
    });
    onTestFinished(() => server.close());
    const lines: string[] = [];
    const note = (...said: unknown[]) => void lines.push(JSON.stringify(said));
    const logger = { ...quietLogger, debug: note, info: note, warn: note, error: note };
    const api = await openApi({ logger });
    const { id } = await api.json<ServerView>('POST', '/api/servers', {
      type: 'streamableHttp',
      name: 'echoing',
      baseUrl: `${server.url}/mcp?key=${inAddress}`,
      headers: { 'X-Key': inHeader, Authorization: `Bearer ${inToken}` },
    });
    const texts: string[] = [];
    for (const what of ['tools', 'prompts', 'status', 'diagnosis', 'logs'])
      texts.push(await (await api.send('GET', `/api/servers/${id}/${what}`)).text());
    expect(texts.join('')).toContain('[redacted]');
    for (const secret of secrets)
      expect([...texts, ...lines].filter((text) => text.includes(secret))).toEqual([]);
  },
);
