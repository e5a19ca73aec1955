import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { mirroredHeaders, readMirroring } from './mirrored-headers.ts';
import type { McpTool } from './types.ts';

const mark = (type: string, header: unknown = 'Name') => ({ type, 'x-mcp-header': header });
const read = (schema: object) => readMirroring(schema as JsonObject);

const tool: McpTool = {
  name: 't',
  description: '',
  inputSchema: {},
  annotations: {},
  mirrored: [
    { header: 'Mcp-Param-Region', path: ['region'] },
    { header: 'Mcp-Param-Count', path: ['deep', 'count'] },
    { header: 'Mcp-Param-On', path: ['on'] },
    { header: 'Mcp-Param-Odd', path: ['toString'] },
  ],
};

describe('readMirroring', () => {
  it('finds marks along properties, at any depth', () => {
    const schema = {
      properties: {
        region: mark('string', 'Region'),
        deep: { properties: { count: mark('integer', 'Count'), on: mark('boolean', 'On') } },
      },
    };
    expect(read(schema)).toEqual({
      parameters: [
        { header: 'Mcp-Param-Region', path: ['region'] },
        { header: 'Mcp-Param-Count', path: ['deep', 'count'] },
        { header: 'Mcp-Param-On', path: ['deep', 'on'] },
      ],
    });
  });

  it.each(['', 'a b', 'a:b', 'Région', 'a\r\nb', 'a\tb', 3, null])(
    'refuses the name %j',
    (name) => {
      expect(read({ properties: { a: mark('string', name) } })).toHaveProperty('problem');
    },
  );

  it.each(['object', 'array', 'null', 'number', undefined, ['string', 'null']])(
    'refuses the type %j',
    (type) => {
      const property = { type, 'x-mcp-header': 'Name' };
      expect(read({ properties: { a: property } })).toHaveProperty('problem');
    },
  );

  it('refuses a name that is there twice, whatever its case', () => {
    const properties = { a: mark('string', 'Name'), b: mark('string', 'nAME') };
    expect(read({ properties })).toHaveProperty('problem');
  });

  it.each([
    mark('string'),
    { items: mark('string') },
    { properties: { a: { items: mark('string') } } },
    { properties: { a: { items: { properties: { b: mark('string') } } } } },
    { anyOf: [{ properties: { a: mark('string') } }] },
    { properties: { a: { oneOf: [mark('string')] } } },
    { if: { properties: { a: mark('string') } } },
    { not: mark('string') },
    { $defs: { a: mark('string') } },
    { $defs: { a: { properties: { b: mark('string') } } } },
    { additionalProperties: mark('string') },
    { patternProperties: { '^a': mark('string') } },
    { prefixItems: [mark('string')] },
  ])('refuses a mark that properties alone do not lead to: %j', (schema) => {
    expect(read(schema)).toHaveProperty('problem');
  });

  it('does not take data or a property of that name for a mark', () => {
    const properties = { 'x-mcp-header': { type: 'string' }, items: { type: 'array' } };
    expect(read({ properties, default: mark('object'), enum: [mark('x')] })).toEqual({
      parameters: [],
    });
  });
});

describe('mirroredHeaders', () => {
  it('writes texts, integers and booleans', () => {
    expect(mirroredHeaders(tool, { region: 'us', deep: { count: -7 }, on: false })).toEqual({
      'Mcp-Param-Region': 'us',
      'Mcp-Param-Count': '-7',
      'Mcp-Param-On': 'false',
    });
  });

  it('leaves out what is not there, null or no plain value', () => {
    expect(mirroredHeaders(tool, {})).toEqual({});
    expect(mirroredHeaders(tool, { region: null, deep: 'x', on: [] })).toEqual({});
    expect(mirroredHeaders({ ...tool, mirrored: undefined }, { region: 'us' })).toEqual({});
  });

  it('lets nothing out of its header', () => {
    const headers = mirroredHeaders(tool, { region: 'a\r\nX-Evil: 1' });
    expect(headers).toEqual({ 'Mcp-Param-Region': '=?base64?YQ0KWC1FdmlsOiAx?=' });
  });

  it('refuses a number that no header can carry exactly', () => {
    for (const count of [2 ** 53, 1.5]) {
      expect(() => mirroredHeaders(tool, { deep: { count } })).toThrow(
        expect.objectContaining({ code: 'invalid_arguments' }),
      );
    }
  });
});
