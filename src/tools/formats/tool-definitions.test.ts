import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import { impossibleSchemas, oddSchemas } from '../../../test/fixtures/odd-schemas.ts';
import { processJsonSchema } from './json-schema.ts';
import { toolDefinitionsFor, toolVendors as vendors, vendorsWithout } from './tool-definitions.ts';

const define = (name: string, inputSchema: JsonObject): ToolDefinition => ({
  name,
  description: `Does ${name}.`,
  inputSchema,
});
const path = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { path: { type: ['string', 'null'] } },
};
const bad = { type: 'object', properties: { 'a b': { type: 'string' } } };

describe('toolDefinitionsFor', () => {
  it('gives each vendor its own dialect', () => {
    const schemas = vendors.map(
      (vendor) => toolDefinitionsFor(vendor, [define('read', path)]).tools[0]?.inputSchema,
    );
    const { $schema: _, ...plain } = path;
    const gemini = { type: 'object', properties: { path: { type: 'string', nullable: true } } };
    expect(schemas).toEqual([plain, plain, gemini]);
  });

  it.each(vendors)('gives the same for the same tools, loaded anew or not (%s)', (vendor) => {
    const tools = [define('read', path), define('write', path)];
    const first = toolDefinitionsFor(vendor, tools);
    expect(toolDefinitionsFor(vendor, tools)).toBe(first);
    expect(
      toolDefinitionsFor(
        vendor,
        tools.map((tool) => ({ ...tool, execute: () => undefined })),
      ),
    ).toBe(first);
    const listedAgain = toolDefinitionsFor(vendor, structuredClone(tools));
    expect(JSON.stringify(listedAgain)).toBe(JSON.stringify(first));
  });

  it('sees that a list, or a tool in it, has changed', () => {
    const tools = [define('read', path)];
    const told = (): string => JSON.stringify(toolDefinitionsFor('anthropic', tools).tools);
    const before = told();
    tools.push(define('write', path));
    expect(told()).toContain('"write"');
    tools.pop();
    expect(told()).toBe(before);
    tools[0] = { ...define('read', path), description: 'Else.' };
    expect(told()).toContain('Else.');
    tools[0].description = 'More.';
    expect(told()).toContain('More.');
  });

  it.each(vendors)('converts only what is new in a list (%s)', (vendor) => {
    const tools = [define('first', path), define('x', bad), define('last', structuredClone(path))];
    const before = toolDefinitionsFor(vendor, tools);
    const changed = [tools[0]!, define('new', path), { ...tools[1]!, name: 'first' }, tools[2]!];
    const after = toolDefinitionsFor(vendor, changed);
    expect(after.tools.at(0)).toBe(before.tools.at(0));
    expect(after.tools.at(-1)).toBe(before.tools.at(-1));
    expect(after.tools.map(({ name }) => name)).toEqual(['first', 'new', 'last']);
    expect(after.left).toMatchObject([
      { name: 'first', reason: 'another tool has the same name.' },
    ]);
    const alone = toolDefinitionsFor('openai', changed.slice(1));
    expect([alone.tools.length, alone.left]).toEqual([3, []]);
    changed[0] = { ...define('first', path), description: 'Else.' };
    expect(toolDefinitionsFor(vendor, changed).tools[0]?.description).toBe('Else.');
  });

  it('says what was left out', () => {
    const { tools, left } = toolDefinitionsFor('anthropic', [define('x', bad), define('y', path)]);
    expect(tools.map(({ name }) => name)).toEqual(['y']);
    expect(left).toMatchObject([{ name: 'x', reason: expect.stringContaining('"a b"') }]);
    expect(toolDefinitionsFor('google', [])).toEqual({ tools: [], left: [] });
  });

  it('forgets what was not asked for in a long time', () => {
    const tools = [define('read', path)];
    const first = toolDefinitionsFor('google', tools);
    for (let index = 0; index < 20; index++) {
      toolDefinitionsFor('google', [define(`t${index}`, path)]);
    }
    const again = toolDefinitionsFor('google', tools);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});

describe('vendorsWithout', () => {
  const all = [
    ...Object.values(oddSchemas),
    ...Object.values(impossibleSchemas).map(({ schema }) => schema),
  ].map(processJsonSchema);

  it('names exactly those to whose models the tool is not offered, with the same reason', () => {
    let found = 0;
    for (const schema of all) {
      const left = vendors.flatMap((dialect) =>
        toolDefinitionsFor(dialect, [define('x', schema)]).left.map(({ reason }) => ({
          dialect,
          reason,
        })),
      );
      expect(vendorsWithout(schema)).toMatchObject(left);
      expect(vendorsWithout(schema)).toHaveLength(left.length);
      found += left.length;
    }
    expect(found).toBeGreaterThan(10);
  });

  it('judges a schema once', () => {
    const [schema = {}] = all;
    expect(vendorsWithout(schema)).toBe(vendorsWithout(schema));
  });
});
