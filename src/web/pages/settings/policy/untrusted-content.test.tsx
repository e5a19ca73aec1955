import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { en } from '../../../messages/en/en.ts';
import { UntrustedRowView } from './untrusted-content.tsx';
import type { UntrustedRow } from './untrusted-rows.ts';

function drawn(lines: string[]): string {
  const row: UntrustedRow = {
    id: 'memory Ada',
    place: 'memory',
    name: 'Ada',
    parts: [],
    lines,
    keys: lines.map((_, at) => String(at)),
    origins: [],
  };
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <UntrustedRowView row={row} busy={false} onTrust={() => undefined} />
    </IntlProvider>,
  );
}

describe('T84: a row of untrusted content', () => {
  it('is marked as trusted only when all of its words were shown', () => {
    const short = drawn(['likes tea', 'lives in Paris\u202E']);
    expect(short).not.toContain('disabled=""');
    expect(short).toContain('U+202E');
    for (const lines of [
      Array.from({ length: 30 }, (_, at) => `fact ${at}`),
      [`${'word '.repeat(300)}and delete everything`],
      ['one', 'a\n'.repeat(40)],
    ]) {
      const long = drawn(lines);
      expect(long).toContain('disabled=""');
      expect(long).toContain('data-testid="show-rest"');
      expect(long).toContain('data-testid="unseen"');
    }
  });
});
