import { describe, expect, it } from 'vitest';
import { expandVariables, hasVariables, type VariableRef } from './variables.ts';

const values: Record<string, string> = { A: 'one', B: '$& ${A} $1', 'secret:A': 'sealed' };

function expand(text: string): { text: string; missing: VariableRef[] } {
  const missing: VariableRef[] = [];
  const valueOf = ({ name, source }: VariableRef) =>
    values[source === 'secret' ? `secret:${name}` : name];
  return { text: expandVariables(text, valueOf, (ref) => missing.push(ref)), missing };
}

describe('variables in a text', () => {
  it.each([
    ['${A}-${A}', 'one-one'],
    ['${env:A}/${secret:A}', 'one/sealed'],
    ['${B}', '$& ${A} $1'],
    ['${NONE:-a b}', 'a b'],
    ['${NONE:-}', ''],
    ['${A:-other}', 'one'],
    ['$${A}', '${A}'],
    ['$A {A} ${} ${a b} ${input:x} ${1}', '$A {A} ${} ${a b} ${input:x} ${1}'],
  ])('%s becomes %s', (text, expected) => {
    expect(expand(text)).toEqual({ text: expected, missing: [] });
  });

  it('that have no value stay, and are reported', () => {
    expect(expand('${NONE} ${secret:B}')).toEqual({
      text: '${NONE} ${secret:B}',
      missing: [{ name: 'NONE' }, { name: 'B', source: 'secret' }],
    });
  });

  it('are found without being read', () => {
    expect(hasVariables('https://${HOST}/')).toBe(true);
    expect(hasVariables('https://$HOST/{id}')).toBe(false);
  });
});
