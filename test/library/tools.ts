// Tools and their formats: loaded, converted, registered and called.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHost } from 'cerise';
import {
  convertMcpToolsToAnthropic,
  convertMcpToolsToGemini,
  convertMcpToolsToOpenAI,
  fetchMcpTools,
  flattenContent,
  type ITool,
  loadDirectMcpTools,
  loadMcpTools,
  McpService,
  processJsonSchema,
  setupMcpTools,
  ToolRegistry,
} from 'cerise/mcp';
import { createDesk } from './desk-server.ts';

const service = new McpService({ builtin: async () => createDesk() });
const [server] = await service.addServers({ name: 'desk', type: 'inMemory', builtin: 'desk' });
assert(server);

// No config, no tools; manual mode takes the named servers; one that fails hides nothing.
assert.deepEqual((await fetchMcpTools(service, undefined)).tools, []);
assert.deepEqual((await fetchMcpTools(service, { enabled: false })).tools, []);
const selectedServers = ['desk', 'nobody'];
const manual = await fetchMcpTools(service, { enabled: true, mode: 'manual', selectedServers });
assert.deepEqual([manual.tools.length, manual.failures.length], [3, 1]);

// Fetched, converted and called without a cast.
const { tools } = await fetchMcpTools(service, { enabled: true });
const add = tools.find(({ toolName }) => toolName === 'add');
assert(add);
assert.equal(add.name, 'mcp__desk__add');
const openAi = convertMcpToolsToOpenAI(tools).tools;
const anthropic = convertMcpToolsToAnthropic(tools).tools;
const [gemini] = convertMcpToolsToGemini(tools).tools;
assert(openAi.some((tool) => tool.function.name === add.name));
assert(anthropic.some((tool) => tool.input_schema.type === 'object'));
assert.equal(gemini?.functionDeclarations.length, 3);
const setup = await setupMcpTools(service, { enabled: true }, 'anthropic');
const chosen = setup?.mcpTools.find(({ name }) => name === add.name);
assert(chosen);
const { serverId, toolName } = chosen;
const called = await service.callTool({ server: serverId, name: toolName, args: { a: 1, b: 2 } });
assert.equal(flattenContent(called), '3');
assert.equal(await setupMcpTools(service, undefined, 'google'), undefined);

// A schema that is none becomes one, and definitions survive.
assert.equal(processJsonSchema({})['type'], 'object');
const defined = { type: 'object', $defs: { n: { type: 'number' } } };
assert.deepEqual(processJsonSchema(defined)['$defs'], defined.$defs);

// An adapter is a tool that agents run; media become a line.
const adapters: ITool[] = await loadMcpTools(service, ['desk']);
assert.equal((await loadMcpTools(service, ['desk']))[0]?.serverName, 'desk');
const draw = adapters.find(({ name }) => name.endsWith('draw'));
assert(draw);
const drawn = await draw.execute({});
assert.equal(flattenContent(drawn), 'A dot:\n[Image: image/png]');
assert.equal(flattenContent(drawn.content), 'A dot:\n[Image: image/png]');

// Native tools, adapters and loaded tools side by side; what cannot run is refused.
const double: ITool = {
  name: 'double',
  description: 'Doubles a number',
  parameters: { type: 'object', properties: { n: { type: 'number' } } },
  execute: async ({ n }) => ({ content: [{ type: 'text', text: String(Number(n) * 2) }] }),
};
const registry = new ToolRegistry();
for (const tool of [double, draw, add]) registry.register(tool);
const context = { callId: '1', signal: AbortSignal.timeout(10_000), onProgress() {} };
const run = async (name: string, args: Record<string, number>) =>
  flattenContent(await registry.resolve(name).execute(args, context));
assert.equal(await run('double', { n: 21 }), '42');
assert.equal(await run(add.name, { a: 40, b: 2 }), '42');
assert.equal(await run(draw.name, {}), 'A dot:\n[Image: image/png]');
const dead = { name: 'dead', description: '', parameters: {} };
assert.throws(() => registry.register(dead as ITool), { code: 'invalid_request' });
assert.throws(() => registry.register(double), { code: 'conflict' });
await service.close();

// Servers that live with their loader.
const args = [fileURLToPath(new URL('desk-server.ts', import.meta.url)), 'stdio'];
const direct = await loadDirectMcpTools([
  { name: 'desk', type: 'stdio', command: process.execPath, args },
  { name: 'broken', type: 'stdio', command: 'no-such-command' },
]);
assert.deepEqual([direct.connections.length, direct.failures.length], [1, 1]);
const directAdd = direct.tools.find(({ name }) => name === 'desk__add');
assert(directAdd);
assert.equal(flattenContent(await directAdd.execute({ a: 1, b: 1 })), '2');
await Promise.all(direct.connections.map((connection) => connection.close()));
await assert.rejects(directAdd.execute({ a: 1, b: 1 }), { code: 'connection_lost' });

// The same tools in a host.
const home = await mkdtemp(join(tmpdir(), 'cerise-tools-'));
for (const tools of [[dead as ITool], [double, double], [{ ...double, name: 'read_more' }]])
  await assert.rejects(createHost({ home, tools }), /execute|already exists/);
const host = await createHost({ home, demoPace: 0, tools: [double] });
await host.close();
await rm(home, { recursive: true });
console.log('ok');
