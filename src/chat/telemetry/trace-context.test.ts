import { expect, it } from 'vitest';
import { traceOf } from './trace-context.ts';

it('gives the calls of an answer one trace and each a span, in the form of W3C', () => {
  const one = traceOf('answer', 'call-1').traceparent;
  const two = traceOf('answer', 'call-2').traceparent;
  const other = traceOf('another answer', 'call-1').traceparent;
  expect(one).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(two.slice(0, 36)).toBe(one.slice(0, 36));
  expect(two).not.toBe(one);
  expect(other.slice(0, 36)).not.toBe(one.slice(0, 36));
});
