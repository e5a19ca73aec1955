import { expect, it } from 'vitest';
import { zhBuiltinTools } from '#shared/messages/zh-builtin-tools.ts';
import { builtinServers } from './builtin-servers.ts';
import { connectClient, testContext } from './toolkit/test-client.ts';

it('knows every built-in tool in Chinese, and none that is not there', async () => {
  const tools: Record<string, string[]> = {};
  for (const server of builtinServers) {
    const client = await connectClient(await server.create(testContext()));
    tools[server.key] = (await client.listTools()).tools.map(({ name }) => name).toSorted();
    await client.close();
  }
  const translated = Object.entries(zhBuiltinTools).map(([key, texts]) => [
    key,
    Object.keys(texts).toSorted(),
  ]);
  expect(Object.fromEntries(translated)).toEqual(tools);
});

it('sends an error with its id, which no model reads', async () => {
  const server = builtinServers.find(({ key }) => key === 'calculator');
  const client = await connectClient(await server!.create(testContext()));
  const result = await client.callTool({ name: 'calculate', arguments: { expression: '1/0' } });
  expect(result).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining('Division by zero.') as string }],
    _meta: { 'dev.cerise/said': { id: expect.stringMatching(/^calc-/) as string } },
  });
});
