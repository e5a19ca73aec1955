import { expect, it } from 'vitest';
import { toolSchema, toolWords } from '#shared/messages/builtin-tool.ts';
import { textOf, type Words } from '#shared/errors/sentence.ts';
import { zhBuiltinToolSentences } from '#shared/messages/zh-builtin-tools.ts';
import { zhDescribedServers } from '#shared/messages/zh-described-servers.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { builtinServers } from './builtin-servers.ts';
import { connectClient, testContext } from '../../../test/fakes/builtin-client.ts';

it('has every text of a built-in tool in Chinese: title, description and arguments, and no other', async () => {
  const ids = new Set<string>();
  const note = (words: Words): string => {
    if (typeof words !== 'string') ids.add(words.id);
    return textOf(words);
  };
  for (const server of builtinServers) {
    const client = await connectClient(await server.create(testContext()));
    const config = { type: 'inMemory', builtin: server.key };
    for (const { name, title = '', description = '', inputSchema } of (await client.listTools())
      .tools) {
      note(toolWords(config, name, 'title', title));
      note(toolWords(config, name, 'description', description));
      expect(toolSchema(config, name, inputSchema as JsonObject, note)).toEqual(inputSchema);
    }
    await client.close();
  }
  expect(Object.keys(zhBuiltinToolSentences).toSorted()).toEqual([...ids].toSorted());
  expect(ids.size).toBeGreaterThan(100);
});

it('has the description of every built-in server in Chinese, and of no other', () => {
  const ids = builtinServers.map(({ key }) => `builtin/${key}`);
  const known = Object.keys(zhDescribedServers).filter((id) => id.startsWith('builtin/'));
  expect(known.toSorted()).toEqual(ids.toSorted());
});

it('says arguments in the reader’s language, and leaves those of other servers alone', () => {
  const schema = {
    type: 'object',
    properties: {
      edits: { type: 'array', items: { properties: { old: { description: 'Old' } } } },
    },
  };
  const tell = (words: Words) => (typeof words === 'string' ? words : `<${words.id}>`);
  expect(toolSchema({ type: 'inMemory', builtin: 'x' }, 'edit', schema, tell)).toMatchObject({
    properties: {
      edits: {
        items: { properties: { old: { description: '<builtin/x/edit/arguments/edits/old>' } } },
      },
    },
  });
  expect(toolSchema({ type: 'stdio' }, 'edit', schema, tell)).toBe(schema);
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
