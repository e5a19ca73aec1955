import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartialArguments } from './google-partial-arguments.ts';

interface Entry {
  jsonPath: string;
  [value: string]: unknown;
}

/** A value as Google streams it: every leaf with its path, texts in two pieces. */
function entriesOf(value: unknown, jsonPath: string): Entry[] {
  if (typeof value === 'string') {
    return [
      { jsonPath, stringValue: value.slice(0, 1), willContinue: true },
      { jsonPath, stringValue: value.slice(1) },
    ];
  }
  if (typeof value === 'number') return [{ jsonPath, numberValue: value }];
  if (typeof value === 'boolean') return [{ jsonPath, boolValue: value }];
  if (typeof value !== 'object' || value === null) return [{ jsonPath, nullValue: 'NULL_VALUE' }];
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index) => entriesOf(item, `${jsonPath}[${index}]`));
    return [...items, { jsonPath: `${jsonPath}[]` }];
  }
  const inside = Object.entries(value).flatMap(([name, item]) =>
    entriesOf(item, /^\w+$/.test(name) ? `${jsonPath}.${name}` : `${jsonPath}["${name}"]`),
  );
  return inside.length > 0 || jsonPath === '$' ? inside : [{ jsonPath }];
}

function written(batches: Entry[][]): { streamed: string; whole: string } {
  const args = new PartialArguments();
  const streamed = batches.map((batch) => args.add(batch)).join('');
  const { rest, whole } = args.end();
  return { streamed, whole: whole ?? streamed + rest };
}

const text = fc.constantFrom('', 'a', 'a"\\\n', '世界', '🙂', 'x'.repeat(50));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(0, -1.5, true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b_1', 'c d', 'e.f', '名'), tie('value'), { maxKeys: 3 }),
  ),
}));
const args = fc.dictionary(fc.constantFrom('a', 'b', 'c d'), value, { maxKeys: 3 });

describe('PartialArguments', () => {
  it('streams the text of the arguments, however it is cut into batches', () => {
    fc.assert(
      fc.property(args, fc.integer({ min: 1, max: 4 }), (given, size) => {
        const entries = entriesOf(given, '$');
        const batches = Array.from({ length: Math.ceil(entries.length / size) }, (_, at) =>
          entries.slice(at * size, (at + 1) * size),
        );
        const { streamed, whole } = written(batches);
        expect(JSON.parse(whole)).toEqual(given);
        expect(whole.startsWith(streamed)).toBe(true);
        if (entries.length > 0) expect(streamed).not.toBe('');
      }),
    );
  });

  it('has the whole of them where one comes back to what it left', () => {
    const { whole } = written([
      [{ jsonPath: '$.a.x', stringValue: 'on', willContinue: true }],
      [{ jsonPath: '$.b', numberValue: 1 }],
      [{ jsonPath: '$.a.x', stringValue: 'e' }],
      [{ jsonPath: '$.a.y[0]', boolValue: true }],
      [{ jsonPath: '$.b', numberValue: 2 }],
    ]);
    expect(JSON.parse(whole)).toEqual({ a: { x: 'one', y: [true] }, b: 2 });
  });

  it('takes no value that has no place, and every name for a name', () => {
    const { whole } = written([
      [
        { jsonPath: '$.__proto__.x', numberValue: 1 },
        { jsonPath: '$.list[999999]', numberValue: 1 },
        { jsonPath: '$', numberValue: 1 },
        { jsonPath: 'a', numberValue: 1 },
        { jsonPath: `$${'.a'.repeat(1000)}`, numberValue: 1 },
      ],
    ]);
    expect(whole).toContain('{"__proto__":{"x":1}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(JSON.parse(whole)).not.toHaveProperty('a');
  });

  it('T85: keeps nothing of the way to a value that has no place', () => {
    const { whole } = written([
      [
        { jsonPath: '$.x', numberValue: 1 },
        { jsonPath: '$.x', numberValue: 2 },
        { jsonPath: '$.list[5]', numberValue: 1 },
        { jsonPath: '$.x.y.z', numberValue: 1 },
        { jsonPath: '$.new.way.to[0].a[1]', numberValue: 1 },
        { jsonPath: '$.new.way.to[0].a[0]', numberValue: 1 },
        { jsonPath: '$.new.way.to[1][0]', numberValue: 2 },
        { jsonPath: '$.new.way.to.end', numberValue: 3 },
      ],
    ]);
    expect(JSON.parse(whole)).toEqual({ x: 2, new: { way: { to: [{ a: [1] }, [2]] } } });
  });
});
