import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorInfo, type ErrorInfo, errorStatus } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { en } from '../../messages/en/en.ts';
import { zh } from '../../messages/zh/zh.ts';
import { ErrorNote } from './error-note.tsx';
import { inLine } from './use-reason.ts';

function show(locale: 'en' | 'zh', code: string, message: string, hint?: string): string {
  return showInfo(locale, { code: code as ErrorCode, message, ...(hint && { hint }) });
}

function showInfo(locale: 'en' | 'zh', error: ErrorInfo): string {
  return renderToStaticMarkup(
    <IntlProvider locale={locale} messages={{ en, zh }[locale]} timeZone="UTC">
      <ErrorNote error={error} />
    </IntlProvider>,
  );
}

describe('a failure', () => {
  it('is told in the reader’s language by its code', () => {
    const html = show('zh', 'admin_only', 'Not for you.', 'Ask somebody.');
    expect(html).toContain(zh.errors.admin_only);
    expect(html).not.toContain('Not for you');
    expect(html).not.toContain('Ask somebody');
  });

  it('keeps the sentence of the host where that says more', () => {
    const html = show('zh', 'connection_refused', 'Nobody answers at 10.0.0.7.', 'Start it.');
    for (const words of [zh.errors.connection_refused, '10.0.0.7', 'Start it.'])
      expect(html).toContain(words);
  });

  it('is told with its advice by the ids of its sentences, one inside the other', () => {
    const what = say('net-refused')`refuses connections`;
    const message = say('net-failed')`${'10.0.0.7:80'} ${what}.`;
    const hint = say('install-node')`Install Node.js from https://nodejs.org.`;
    const error = errorInfo('connection_refused', message, { hint });
    expect(showInfo('en', error)).toContain('10.0.0.7:80 refuses connections.');
    const chinese = showInfo('zh', error);
    expect(chinese).toContain('10.0.0.7:80 拒绝连接。');
    expect(chinese).toContain('请安装 Node.js：https://nodejs.org。');
    expect(chinese).not.toMatch(/refuses|Install Node|请确认对方/);
  });

  it('keeps the English of sentences that a newer host says', () => {
    const message = say('from-the-future')`Something new at ${'10.0.0.7'}.`;
    const chinese = showInfo('zh', errorInfo('http_error', message));
    expect(chinese).toContain(zh.errors.http_error);
    expect(chinese).toContain('Something new at 10.0.0.7.');
  });

  it('has a space between its sentences in one line, but not after a full-width stop', () => {
    expect(inLine({ text: 'It failed.', more: 'Why.' })).toBe('It failed. Why.');
    expect(inLine({ text: '失败。', more: 'Why.' })).toBe('失败。Why.');
  });

  it('quotes what the vendor of a model said', () => {
    const details = { vendorMessage: 'Your quota is used up.' };
    const chinese = showInfo('zh', errorInfo('model_no_credit', 'No credit.', { details }));
    expect(chinese).toMatch(/<blockquote[^>]*>Your quota is used up\.</);
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
