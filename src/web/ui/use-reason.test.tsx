import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorStatus } from '#shared/errors.ts';
import { en } from '../messages/en.ts';
import { zh } from '../messages/zh.ts';
import { ErrorNote } from './error-note.tsx';

function show(locale: 'en' | 'zh', code: string, message: string, hint?: string): string {
  const error = { code: code as ErrorCode, message, ...(hint && { hint }) };
  return renderToStaticMarkup(
    <IntlProvider locale={locale} messages={{ en, zh }[locale]} timeZone="UTC">
      <ErrorNote error={error} />
    </IntlProvider>,
  );
}

describe('a failure', () => {
  it('is told in the reader’s language by its code', () => {
    const html = show('zh', 'admin_only', 'Only an admin may do this.', 'Ask an admin.');
    expect(html).toContain(zh.errors.admin_only);
    expect(html).not.toContain('Only an admin');
    expect(html).not.toContain('Ask an admin');
  });

  it('keeps the sentence of the host where that says more', () => {
    const html = show('zh', 'connection_refused', 'Nobody answers at 10.0.0.7.', 'Start it.');
    for (const words of [zh.errors.connection_refused, '10.0.0.7', 'Start it.'])
      expect(html).toContain(words);
  });

  it('is told by the host itself in its own language, or where its code is not known', () => {
    expect(show('en', 'admin_only', 'A special sentence.')).toContain('A special sentence.');
    expect(show('zh', 'from_the_future', 'A new kind.')).toContain('A new kind.');
    expect(show('zh', 'toString', 'Odd.')).toContain('Odd.');
  });

  it('is never empty', () => {
    expect(show('en', 'timed_out', '')).toContain(en.errors.timed_out);
    expect(show('zh', 'from_the_future', '')).toContain(zh.errors.internal);
  });

  it('has words only for codes that there are', () => {
    expect(Object.keys(en.errors).filter((code) => !(code in errorStatus))).toEqual([]);
  });
});
