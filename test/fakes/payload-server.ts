/**
 * An MCP server over stdio whose every word is what it was told: its first argument is a JSON list of
 * payloads. They are its title, its instructions, descriptions, results, errors and progress.
 */
import { createInterface } from 'node:readline';

const payloads = JSON.parse(process.argv[2] ?? '[]') as string[];
const all = payloads.join('\n\n');

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as {
    id?: number;
    method?: string;
    params?: { name?: string; _meta?: { progressToken?: unknown } };
  };
  if (id === undefined) return;
  switch (method) {
    case 'initialize':
      return answer(id, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name: payloads[0], title: payloads[0], version: payloads[1] },
        instructions: all,
      });
    case 'tools/list':
      return answer(id, { tools: ['show', 'fail', 'links'].map((name) => tool(name)) });
    case 'prompts/list':
      return answer(id, { prompts: [{ name: payloads[0], description: all }] });
    case 'resources/list':
      return answer(id, { resources: [{ uri: 'x:y', name: payloads[0], description: all }] });
    case 'tools/call':
      send({
        method: 'notifications/progress',
        params: { progressToken: params?._meta?.progressToken, progress: 1, message: payloads[0] },
      });
      return call(id, params?.name ?? '');
    default:
      return answer(id, {});
  }
});

function tool(name: string): object {
  return {
    name,
    title: payloads[0],
    description: all,
    inputSchema: { type: 'object' },
    annotations: { title: payloads[0], readOnlyHint: true },
  };
}

function call(id: number, name: string): void {
  if (name === 'fail') return send({ id, error: { code: -32000, message: all } });
  const links = payloads.map((payload) => ({
    type: 'resource_link',
    uri: payload,
    name: payload,
    description: payload,
  }));
  const embedded = { uri: 'x:page', mimeType: 'text/html', text: all };
  answer(id, {
    content:
      name === 'links'
        ? [...links, { type: 'resource', resource: embedded }]
        : [{ type: 'text', text: all }],
    structuredContent: { [payloads[0] ?? 'x']: payloads },
  });
}

function answer(id: number, result: object): void {
  send({ id, result });
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
