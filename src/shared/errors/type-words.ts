import { say, type Sentence } from './sentence.ts';

const types: Record<string, Sentence> = {
  string: say('type-string')`a string`,
  number: say('type-number')`a number`,
  integer: say('type-integer')`an integer`,
  boolean: say('type-boolean')`a boolean`,
  null: say('type-null')`null`,
  array: say('type-array')`an array`,
  object: say('type-object')`an object`,
};

/** What a value must be by the names of types in JSON Schema, such as “must be a string or null”. */
export function typeWords(names: readonly string[]): Sentence {
  const words = names.map((name) => types[name] ?? name);
  const [first = '', ...others] = words;
  const all = others.reduce((one, other) => say('one-or-other')`${one} or ${other}`, first);
  return say('must-be-type')`must be ${all}`;
}
