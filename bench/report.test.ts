import { describe, expect, it } from 'vitest';
import { formatFacts, formatTable } from './report.ts';

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

describe('formatFacts', () => {
  it('says of each fact whether it met its aim', () => {
    const table = formatFacts([
      { what: 'first content', unit: 'ms', value: 900, aim: 1000 },
      { what: 'longest task', unit: 'ms', value: 51.2, aim: 50 },
      { what: 'elements', unit: '', value: 1200 },
    ]);
    expect(table).toContain('| first content | ms | 900 | ≤ 1000 ms yes |');
    expect(table).toContain('| longest task | ms | 51.2 | ≤ 50 ms NO |');
    expect(table).toContain('| elements |  | 1200 |  |');
  });
});
