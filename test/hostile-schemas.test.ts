import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { validateArguments } from '#tools/formats/json-schema.ts';
import { toolDefinitionsFor, toolVendors } from '#tools/formats/tool-definitions.ts';
import { type LoadFailure, loadTools } from '#tools/registry/tools-loader.ts';
import { cpuTime } from './cpu-time.ts';
import { hostSays } from './e2e/texts.ts';
import { approved, callTool, testService } from './fakes/mcp-servers.ts';

const script = join(import.meta.dirname, 'fakes/listing-server.mjs');
const listing = (kind: string) =>
  approved({ name: kind, type: 'stdio', command: process.execPath, args: [script, kind] });

const service = testService();
const hostile = listing('schemas');
let tools: Map<string, Tool>;
let failures: LoadFailure[];

beforeAll(async () => {
  await service.setServer(hostile);
  const selection = { enabled: true, mode: 'manual' as const, selectedServers: [hostile.id] };
  const loaded = await loadTools(service, selection);
  tools = new Map(loaded.tools.map((tool) => [tool.toolName, tool]));
  ({ failures } = loaded);
});
afterAll(() => service.close());

function toolNamed(name: string): Tool {
  const tool = tools.get(name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool;
}

/** The verdict, and how long the event loop was kept busy, whatever else the machine does. */
function judge(name: string, args: JsonObject): { violation: string | undefined; time: number } {
  let violation: string | undefined;
  const time = cpuTime(() => {
    const found = validateArguments(toolNamed(name).inputSchema, args);
    violation = found && textOf(found);
  });
  return { violation, time };
}

describe('hostile schemas', () => {
  it('T45 T47 quarantine their tools, with the reason, and no other', () => {
    const reasons = new Map(
      failures.map(({ error }) => [
        (error.details as { toolName: string }).toolName,
        error.message,
      ]),
    );
    expect([...reasons.keys()].toSorted()).toEqual(['deep', 'remote', 'wide']);
    expect(reasons.get('deep')).toContain('levels deep');
    expect(reasons.get('wide')).toContain('more than 5000 values');
    expect(reasons.get('remote')).toMatch(hostSays('schema-foreign'));
    expect(tools.has('fine')).toBe(true);
  });

  it('T45 a result a million levels deep fails its call only', async () => {
    await expect(callTool(service, hostile.id, 'deep-result')).rejects.toMatchObject({
      code: 'unreadable_response',
    });
    const result = await callTool(service, hostile.id, 'fine');
    expect(result.content).toHaveLength(1);
  });

  it('T46 names of the prototype are names like others', async () => {
    for (const name of ['__proto__', 'toString', 'constructor']) {
      const args = JSON.parse(`{"__proto__": {"polluted": true}, "${name}": 1}`) as JsonObject;
      expect(judge(name, args).violation).toBeUndefined();
      const { content } = await callTool(service, hostile.id, name, args);
      const [part] = content;
      expect(part?.type === 'text' && part.text).toContain(`"name":"${name}"`);
    }
    const result = await callTool(service, hostile.id, 'pollute');
    expect(result.isError).toBeUndefined();
    expect(result.content).toEqual([{ type: 'text', text: 'x' }]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('T47 patterns do not stop the event loop', () => {
    const exponential = judge('pattern', { text: `${'a'.repeat(50_000)}!` });
    expect(exponential.violation).toBeUndefined();
    expect(exponential.time).toBeLessThan(250);
    const polynomial = judge('slow-pattern', { text: `${'a'.repeat(50_000)}!` });
    expect(polynomial.violation).toContain('takes too long');
    expect(polynomial.time).toBeLessThan(250);
    expect(judge('slow-pattern', { text: 'aaa' }).violation).toBeUndefined();
  });

  it('T47 recursive references are followed as far as the value goes', () => {
    expect(judge('recursive', { next: { next: {} } }).violation).toBeUndefined();
    expect(judge('recursive', { next: { next: 3 } }).violation).toBe(
      'next/next: must be an object',
    );
    expect(judge('circular', {}).violation).toContain('refers to itself');
  });

  it('T47 a schema that multiplies is given up in time', () => {
    let args: JsonObject = { a: null };
    for (let level = 0; level < 12; level++) args = { a: args };
    const { violation, time } = judge('endless', args);
    expect(violation).toContain('takes too long');
    expect(time).toBeLessThan(250);
  });

  it('T47 a schema is written for a vendor in time, however its parts refer to each other', () => {
    const range = (count: number) => Array.from({ length: count }, (_, index) => index);
    const named = (count: number, schema: (index: number) => JsonObject) =>
      Object.fromEntries(range(count).map((index) => [`p${index} `, schema(index)]));
    const chain = {
      $defs: named(1000, (index) => ({ $ref: `#/$defs/p${index + 1} ` })),
      properties: named(1000, () => ({ $ref: '#/$defs/p0 ' })),
    };
    chain.$defs['p999 '] = { $ref: '#' };
    const moved = {
      $defs: named(2000, () => ({ type: 'string' })),
      properties: {
        a: { properties: named(1400, () => ({ type: 'string' })) },
        b: { properties: named(1400, (to) => ({ $ref: `#/properties/a/properties/p${to} ` })) },
      },
    };
    const parts = range(1200).map((index) => ({ properties: { [`p${index}`]: {} } }));
    for (const schema of [chain, moved, { properties: {}, allOf: parts }])
      for (const vendor of toolVendors) {
        const tool = { name: 'x', description: '', inputSchema: { type: 'object', ...schema } };
        expect(cpuTime(() => toolDefinitionsFor(vendor, [tool]))).toBeLessThan(250);
      }
  });

  it('T47 two servers with the same $id are judged by their own schema each', async () => {
    const [strings, numbers] = [listing('string'), listing('number')];
    await Promise.all([strings, numbers].map((server) => service.setServer(server)));
    const problemOf = async (id: string, value: string | number) =>
      (await callTool(service, id, 'value', { value })).problem;
    expect(await problemOf(strings.id, 'x')).toBeUndefined();
    expect(await problemOf(numbers.id, 1)).toBeUndefined();
    expect(await problemOf(strings.id, 1)).toContain('value: must be a string');
    expect(await problemOf(numbers.id, 'x')).toContain('value: must be a number');
  });
});
