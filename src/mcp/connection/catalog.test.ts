import { McpServer } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';
import { approved, testService } from '../../../test/fakes/mcp-servers.ts';

it('subscribes again at a server that refused the first time', async () => {
  const asked: string[] = [];
  const server = new McpServer({ name: 'notes', version: '1' });
  server.registerResource('note', 'memo:note', {}, () => ({ contents: [] }));
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    asked.push(params.uri);
    if (asked.length === 1) throw new Error('Not yet.');
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  const eras = { get: () => 'legacy' as const, set: () => undefined };
  const service = testService({ builtin: async () => server, eras });
  onTestFinished(() => service.close());
  const record = approved({ type: 'inMemory', builtin: 'notes' });
  await service.setServer(record);
  await service.initClient(record.id);
  let refused = 0;
  let changes = 0;
  const subscribe = (onChange: () => void) =>
    service.subscribeResource(record.id, 'memo:note', onChange);
  const first = Promise.all([subscribe(() => (refused += 1)), subscribe(() => (refused += 1))]);
  await expect(first).rejects.toMatchObject({ code: 'protocol_error' });
  const end = await subscribe(() => (changes += 1));
  expect(asked).toEqual(['memo:note', 'memo:note']);
  await server.server.sendResourceUpdated({ uri: 'memo:note' });
  await service.checkConnectivity(record.id);
  expect([refused, changes]).toEqual([0, 1]);
  await end();
});
