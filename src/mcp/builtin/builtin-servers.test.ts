import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinServers, createBuiltinServer } from './builtin-servers.ts';
import { connectClient, testContext } from '../../../test/fakes/builtin-client.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cerise-builtin-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the built-in servers', () => {
  it.each(builtinServers)('$key connects and describes all its tools', async ({ key }) => {
    const context = testContext({ workspace: join(folder, 'workspace') });
    const client = await connectClient(await createBuiltinServer(key, context));
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    for (const tool of tools) {
      expect(tool.title, tool.name).toBeTruthy();
      expect(tool.description?.length, tool.name).toBeGreaterThan(20);
      expect(tool.annotations, tool.name).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: key === 'fetch' || key === 'web-search',
      });
      expect(tool.inputSchema.type).toBe('object');
    }
    await client.close();
  });

  it('an unknown key is refused with the known ones', async () => {
    for (const key of ['nope', '', '__proto__', 'constructor']) {
      await expect(createBuiltinServer(key, testContext())).rejects.toMatchObject({
        code: 'server_not_found',
        hint: expect.stringContaining('calculator'),
      });
    }
  });

  it('wrong arguments are a result the model can read, not a protocol error', async () => {
    const client = await connectClient(await createBuiltinServer('calculator', testContext()));
    const result = await client.callTool({ name: 'calculate', arguments: { expression: 7 } });
    expect(result.isError).toBe(true);
    await client.close();
  });
});
