import { describe, expect, it } from 'vitest';
import { formatTable } from './report.ts';

const row = { what: 'time', unit: 'ms', cerise: 30, floor: 10, peers: {}, ratios: { floor: 3 } };

describe('formatTable', () => {
  it('says of each aim whether it was met', () => {
    const table = formatTable([{ ...row, aims: { floor: 2, cerise: 30 } }]);
    expect(table).toContain('| ÷ floor ≤ 2.00 NO, ≤ 30 ms yes |');
  });

  it('does not call an aim met whose contestant is missing', () => {
    expect(formatTable([{ ...row, aims: { other: 9 } }])).toContain('÷ other ≤ 9.00 NO');
  });

  it('has no column of aims where there are none', () => {
    expect(formatTable([row])).not.toContain('aim');
  });
});
