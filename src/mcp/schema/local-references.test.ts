import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { localReferences } from './local-references.ts';
import { compileSchema } from './validate.ts';

const size: JsonObject = { type: 'string', enum: ['small', 'large'] };

/** A schema whose property leads to the sizes by this reference. */
function schemaWith($ref: string, more: JsonObject = {}, named: JsonObject = {}): JsonObject {
  return {
    ...more,
    type: 'object',
    properties: { size: { $ref } },
    $defs: { Size: { ...named, ...size } },
  };
}

const tool = { $id: 'https://example.com/tools/order.json' };

describe('localReferences', () => {
  it.each([
    ['its absolute id', schemaWith(`${tool.$id}#/$defs/Size`, tool)],
    ['its id as a relative one', schemaWith('order.json#/$defs/Size', tool)],
    ['its id from the root of its host', schemaWith('/tools/order.json#/$defs/Size', tool)],
    ['an id that is relative itself', schemaWith('order#/$defs/Size', { $id: 'order' })],
    ['a urn', schemaWith('urn:x:order#/$defs/Size', { $id: 'urn:x:order' })],
    ['an id with an empty fragment', schemaWith('a.json#/$defs/Size', { $id: 'a.json#' })],
    ['the id of a part', schemaWith('size.json', tool, { $id: 'size.json' })],
    ['an anchor', schemaWith('#size', {}, { $anchor: 'size' })],
    ['an anchor by address', schemaWith('order.json#size', tool, { $anchor: 'size' })],
    ['an anchor of draft 7', schemaWith('#size', {}, { $id: '#size' })],
  ])('finds a part by %s', (_name, schema) => {
    expect(localReferences(schema)).toEqual(schemaWith('#/$defs/Size'));
    const compiled = compileSchema(schema);
    expect(compiled.check({ size: 'small' })).toBeUndefined();
    expect(compiled.check({ size: 'huge' })).toMatchObject({
      text: 'size: must be one of "small", "large"',
    });
  });

  it('finds what a part with an id calls its own', () => {
    const schema = {
      ...tool,
      properties: { box: { $ref: 'box' }, all: { $ref: 'order.json' } },
      $defs: {
        'a/b%~': {
          $id: 'box',
          properties: { in: { $ref: '#/$defs/in' }, next: { $ref: '#' } },
          $defs: { in: size },
        },
      },
    };
    const local = localReferences(schema);
    expect(local).toEqual({
      properties: { box: { $ref: '#/$defs/a~1b%25~0' }, all: { $ref: '#' } },
      $defs: {
        'a/b%~': {
          properties: {
            in: { $ref: '#/$defs/a~1b%25~0/$defs/in' },
            next: { $ref: '#/$defs/a~1b%25~0' },
          },
          $defs: { in: size },
        },
      },
    });
    const wrong = { box: { next: { in: 'huge' } } };
    expect(compileSchema(schema).check(wrong)).toMatchObject({
      text: 'box/next/in: must be one of "small", "large"',
    });
  });

  it('takes dynamic references for those to the root, which is always in scope', () => {
    const schema = {
      $ref: 'list',
      $defs: {
        Item: { $dynamicAnchor: 'item', ...size },
        list: { $id: 'list', items: { $dynamicRef: '#item' }, $defs: { any: open } },
      },
    };
    expect(compileSchema(schema).check(['small'])).toBeUndefined();
    expect(compileSchema(schema).check(['huge'])).toMatchObject({
      text: '0: must be one of "small", "large"',
    });
  });

  it('leaves what points elsewhere, what is data, and schemas without names', () => {
    const elsewhere = schemaWith('https://example.org/x.json#/$defs/Size', tool);
    expect(localReferences(elsewhere)).toMatchObject({ properties: elsewhere.properties });
    const data = { $id: 'order', $ref: 'order' };
    const named = { ...tool, default: data, properties: { $id: size, default: { $ref: '#' } } };
    expect(localReferences(named)).toEqual({
      default: data,
      properties: { $id: size, default: { $ref: '#' } },
    });
    const plain = schemaWith('#/$defs/Size');
    expect(localReferences(plain)).toBe(plain);
  });
});

const open = { $dynamicAnchor: 'item' };
