import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../vocabulary/json.ts';
import type { FormSchema } from '../vocabulary/server-request.ts';
import { formFields, formProblem } from './form.ts';

function form(properties: Record<string, JsonObject>, required: string[] = []): FormSchema {
  return { type: 'object', properties, required };
}

/** What is said about one value for one field. */
function judge(field: JsonObject, value: JsonObject[string]): string | undefined {
  return formProblem(form({ field }), { field: value })?.text;
}

const colours = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
];

describe('the fields of a form', () => {
  it.each<[string, JsonObject, object]>([
    ['a text', { type: 'string', minLength: 1, maxLength: 9 }, { kind: 'text', least: 1, most: 9 }],
    ['a format', { type: 'string', format: 'email' }, { kind: 'text', format: 'email' }],
    ['an unknown format', { type: 'string', format: 'toString' }, { kind: 'text' }],
    ['a number', { type: 'number', minimum: 0 }, { kind: 'number', least: 0 }],
    ['a whole number', { type: 'integer', maximum: 5 }, { kind: 'integer', most: 5 }],
    ['a yes or no', { type: 'boolean', default: true }, { kind: 'boolean', default: true }],
    ['plain choices', { type: 'string', enum: ['a', 'b'] }, { kind: 'choice' }],
    ['named choices', { type: 'string', oneOf: colours }, { kind: 'choice' }],
    [
      'several of them',
      { type: 'array', items: { enum: ['a'] }, minItems: 1 },
      { kind: 'choices', least: 1 },
    ],
    ['several named ones', { type: 'array', items: { anyOf: colours } }, { kind: 'choices' }],
    ['what no revision knows', { type: 'hologram' }, { kind: 'text' }],
  ])('show %s', (_, field, expected) => {
    expect(formFields(form({ field }))[0]).toMatchObject({
      name: 'field',
      title: 'field',
      ...expected,
    });
  });

  it('take the names of choices from every spelling', () => {
    const old = { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] };
    const spellings: JsonObject[] = [
      old,
      { type: 'string', oneOf: colours },
      { type: 'array', items: { anyOf: colours } },
      { type: 'array', items: { oneOf: colours } },
    ];
    for (const field of spellings)
      expect(formFields(form({ field }))[0]?.options).toEqual([
        { value: 'r', title: 'Red' },
        { value: 'g', title: 'Green' },
      ]);
  });

  it('survive a schema that is nonsense', () => {
    const nonsense: JsonObject[] = [
      { type: 'array' },
      { type: 'array', items: [] },
      { type: 'string', enum: 'abc' },
      { type: 'string', enum: [1, null, 'a'], enumNames: [7] },
      { type: 'string', oneOf: [null, 1, { const: 3 }, { const: 'x', title: 5 }] },
      { title: 7, description: [], minLength: 'long' },
    ];
    for (const field of nonsense) expect(() => judge(field, 'a')).not.toThrow();
  });
});

describe('an answer to a form', () => {
  it.each<[JsonObject, JsonObject[string], string | undefined]>([
    [{ type: 'string' }, 'anything', undefined],
    [{ type: 'string' }, 7, 'field: must be text.'],
    [{ type: 'string', maxLength: 2 }, '👍👍', undefined],
    [{ type: 'string', minLength: 3 }, '👍👍', 'field: must be at least 3 characters long.'],
    [{ type: 'string', format: 'email' }, 'a@example.com', undefined],
    [{ type: 'string', format: 'email' }, 'a@b@c', expect.stringContaining('email')],
    [{ type: 'string', format: 'email' }, 'a b@example.com', expect.stringContaining('email')],
    [{ type: 'string', format: 'uri' }, 'https://example.com/a?b', undefined],
    [{ type: 'string', format: 'uri' }, '/relative', expect.stringContaining('full URL')],
    [{ type: 'string', format: 'date' }, '2024-02-29', undefined],
    [{ type: 'string', format: 'date' }, '2026-02-29', expect.stringContaining('date')],
    [{ type: 'string', format: 'date' }, '2026-2-9', expect.stringContaining('date')],
    [{ type: 'string', format: 'date-time' }, '2026-07-28T09:30:00.5+02:00', undefined],
    [
      { type: 'string', format: 'date-time' },
      '2026-07-28T09:30:00',
      expect.stringContaining('zone'),
    ],
    [
      { type: 'string', format: 'date-time' },
      '2026-07-28T25:30:00Z',
      expect.stringContaining('zone'),
    ],
    [{ type: 'number', minimum: 1, maximum: 2 }, 1.5, undefined],
    [{ type: 'number', minimum: 1 }, 0, 'field: must be at least 1.'],
    [{ type: 'number', maximum: 1 }, 2, 'field: must be at most 1.'],
    [{ type: 'number' }, '1', 'field: must be a number.'],
    [{ type: 'integer' }, 1.5, 'field: must be a whole number.'],
    [{ type: 'boolean' }, 'yes', 'field: must be true or false.'],
    [{ type: 'boolean' }, false, undefined],
    [{ type: 'string', enum: ['a', 'b'] }, 'b', undefined],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'field: must be one of "a", "b".'],
    [{ type: 'string', oneOf: colours }, 'Red', 'field: must be one of "r", "g".'],
    [{ type: 'array', items: { anyOf: colours } }, ['g', 'r'], undefined],
    [
      { type: 'array', items: { enum: ['a'] } },
      ['a', 'a'],
      'field: must not contain the same option twice.',
    ],
    [{ type: 'array', items: { enum: ['a'] } }, ['b'], 'field: can only contain "a".'],
    [{ type: 'array', items: { enum: ['a'] } }, 'a', 'field: must be a list of options.'],
    [
      { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 },
      ['a'],
      'field: must have at least 2 options.',
    ],
    [
      { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 },
      ['a', 'b'],
      'field: must have at most 1 option.',
    ],
  ])('to %j may be %j: %s', (field, value, expected) => {
    expect(judge(field, value)).toEqual(expected);
  });

  it('must hold what is required, unless the server has a default for it', () => {
    const schema = form({ a: { type: 'string' }, b: { type: 'string', default: 'x' } }, ['a', 'b']);
    expect(formProblem(schema, {})?.text).toBe('a: is required.');
    expect(formProblem(schema, { a: 'y' })).toBeUndefined();
  });

  it('holds nothing that was not asked for', () => {
    const schema = form({ a: { type: 'string' } });
    expect(formProblem(schema, { b: 1 })?.text).toBe('b: the form has no field with this name.');
    const inherited = JSON.parse('{"__proto__": 1}') as JsonObject;
    expect(formProblem(schema, inherited)?.text).toBe(
      '__proto__: the form has no field with this name.',
    );
    expect(formProblem(form({ toString: { type: 'string' } }, ['toString']), {})?.text).toBe(
      'toString: is required.',
    );
  });
});
