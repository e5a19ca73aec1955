import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeHeaderValue } from './header-value.ts';

describe('encodeHeaderValue', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['a b', 'a b'],
    ['', '=?base64??='],
    ['a\tb', '=?base64?YQli?='],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['=?base64?open', '=?base64?open'],
  ])('writes %j as %j', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header);
  });

  it('gives a legal header value that can be read back, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (value) => {
        const header = encodeHeaderValue(value);
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(header.trim()).toBe(header);
        expect(decode(header)).toBe(value);
      }),
    );
  });

  it('takes time that grows with the length only', () => {
    const before = process.threadCpuUsage();
    encodeHeaderValue(`a${' '.repeat(1_000_000)}\n`);
    expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
  });
});

function decode(header: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString();
}
