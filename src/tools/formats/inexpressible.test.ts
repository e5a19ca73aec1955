import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { toAnthropicSchema } from './anthropic-schema.ts';
import { toGeminiSchema } from './gemini-schema.ts';
import { validateArguments } from './json-schema.ts';
import { toOpenAiSchema } from './openai-schema.ts';
import type { ConvertedSchema } from './rewrite-schema.ts';

const vendors: [string, (schema: unknown) => ConvertedSchema][] = [
  ['OpenAI', (schema) => toOpenAiSchema(schema)],
  ['Anthropic', toAnthropicSchema],
  ['Gemini', toGeminiSchema],
];
const text = { type: 'string' };

function schemaOf(converted: ConvertedSchema): JsonObject {
  if ('problem' in converted) throw new Error('left out');
  return converted.schema;
}

describe.each(vendors)('what %s has no words for', (_vendor, convert) => {
  it('is told of every condition, and none gets the consequence of another', () => {
    const allOf = JSON.parse(`[
      {"if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["x"]}},
      {"if": {"properties": {"kind": {"const": "b"}}}, "else": {"required": ["y"]}}
    ]`) as JsonObject[];
    const properties = { kind: text, x: text, y: text };
    const converted = schemaOf(convert({ type: 'object', properties, allOf }));
    expect(JSON.stringify(converted)).toMatch(/"a\\?"[^]*"x\\?"|"x\\?"[^]*"a\\?"/);
    expect(converted.description).toMatch(/if: .*"b".*else: .*"y"/);
    expect(converted).not.toHaveProperty('else');
  });

  it('is told what each alternative at the top needs', () => {
    const converted = schemaOf(
      convert({
        type: 'object',
        properties: { id: text, url: text, size: text },
        anyOf: [{ required: ['id', 'size'] }, { required: ['url', 'size'] }],
      }),
    );
    expect(converted.required).toEqual(['size']);
    expect(converted.description).toBe('(anyOf: [{"required":["id"]},{"required":["url"]}])');
  });

  it('is not forbidden: properties that only a pattern names', () => {
    const schema = { patternProperties: { '^x-': text }, additionalProperties: false };
    const { patternProperties, additionalProperties } = schemaOf(
      convert({ type: 'object', properties: {}, ...schema }),
    );
    expect(patternProperties === undefined && additionalProperties === false).toBe(false);
  });

  it('is told by example: one of ten thousand values, which are checked all the same', () => {
    const icons = Array.from({ length: 10_000 }, (_, index) => `icon-${index}`);
    const schema = { type: 'object', properties: { icon: { ...text, enum: icons } } };
    const converted = schemaOf(convert(schema));
    expect(JSON.stringify(converted).length).toBeLessThan(1000);
    expect(converted).toMatchObject({
      properties: {
        icon: { description: expect.stringMatching(/10000 values.*"icon-0","icon-1"/) },
      },
    });
    expect(validateArguments(schema, { icon: 'icon-9999' })).toBeUndefined();
    expect(validateArguments(schema, { icon: 'icon-x' })).toMatchObject({
      text: expect.stringContaining('icon: must be one of "icon-0", "icon-1"'),
    });
  });

  it('is left out: a pattern that is none for others', () => {
    const properties = { p: { type: 'string', pattern: '^[\\w-.]+$' } };
    expect(schemaOf(convert({ type: 'object', properties })).properties).toEqual({ p: text });
    const plain = { p: { type: 'string', pattern: '^[\\w.-]+$' } };
    expect(schemaOf(convert({ type: 'object', properties: plain })).properties).toEqual(plain);
  });
});

describe('the check of arguments', () => {
  it.each<JsonObject>([{}, { propertyNames: {}, unevaluatedProperties: true }])(
    'takes the null that models are told of with %j beside',
    (more) => {
      const schema = { type: 'object', properties: { p: { type: 'string', nullable: true } } };
      expect(validateArguments({ ...schema, ...more }, { p: null })).toBeUndefined();
      expect(validateArguments({ ...schema, ...more }, { p: 3 })).toBeDefined();
    },
  );
});
