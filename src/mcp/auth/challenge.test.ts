import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { readAuthenticateHeader, splitScope } from './challenge.ts';

describe('readAuthenticateHeader', () => {
  it('reads what a server wants', () => {
    const header =
      'Bearer realm="x", error="insufficient_scope", scope="a b", resource_metadata="https://s.test/m"';
    expect(readAuthenticateHeader(header)).toEqual({
      dpop: false,
      error: 'insufficient_scope',
      scope: ['a', 'b'],
      resourceMetadata: 'https://s.test/m',
    });
  });

  it.each<[string | undefined, object]>([
    [undefined, { dpop: false }],
    ['', { dpop: false }],
    ['Bearer', { dpop: false }],
    ['bEARER Scope=one', { dpop: false, scope: ['one'] }],
    ['Bearer scope = "one"', { dpop: false, scope: ['one'] }],
    ['Negotiate abc==, Bearer scope="one"', { dpop: false, scope: ['one'] }],
    ['Basic realm="a, Bearer scope=no", Bearer scope="yes"', { dpop: false, scope: ['yes'] }],
    [
      'Basic scope="no", DPoP algs="ES256", error="invalid_token"',
      { dpop: true, error: 'invalid_token' },
    ],
    ['Bearer error="a", DPoP error="b", scope="s"', { dpop: true, error: 'a', scope: ['s'] }],
    ['Bearer error="a \\"quoted\\" word"', { dpop: false, error: 'a "quoted" word' }],
    ['Bearer error="first", error="second"', { dpop: false, error: 'first' }],
    ['Bearer error="never closed', { dpop: false }],
    ['Bearer error=', { dpop: false }],
    ['=== , ,,"', { dpop: false }],
    ['Bearer __proto__="x", constructor="y", error="e"', { dpop: false, error: 'e' }],
    [`Bearer error="${'x'.repeat(20_000)}"`, { dpop: false }],
  ])('reads %j', (header, expected) => {
    expect(readAuthenticateHeader(header)).toEqual(expected);
  });

  it('takes no longer for hostile text', () => {
    const time = cpuTime(() => {
      for (const part of ['Bearer ', '"\\', '= ', ', ,', 'a=']) {
        readAuthenticateHeader(`Bearer x="${part.repeat(4000)}`.slice(0, 16_384));
        readAuthenticateHeader(part.repeat(4000).slice(0, 16_384));
      }
    });
    expect(time).toBeLessThan(500);
  });
});

describe('splitScope', () => {
  it('leaves out what cannot be a scope', () => {
    expect(splitScope('a  b a "c" d\\e ü \n')).toEqual(['a', 'b']);
    expect(
      splitScope(Array.from({ length: 500 }, (_, index) => `s${index}`).join(' ')),
    ).toHaveLength(100);
  });
});
