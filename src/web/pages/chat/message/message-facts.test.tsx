import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '#shared/vocabulary/message.ts';
import { t } from '../../../../../test/e2e/texts.ts';
import { en } from '../../../messages/en/en.ts';
import { zh } from '../../../messages/zh/zh.ts';
import { UsageLine } from './usage-line.tsx';

const now = new Date('2026-06-15T12:00:00Z');
const minute = 60_000;
const base = { topicId: 't', parentId: null, status: 'success', blocks: [] } as const;
const answer: Message = {
  ...base,
  blocks: [],
  id: 'a',
  role: 'assistant',
  model: 'demo/scripted',
  usage: { inputTokens: 1200, outputTokens: 34 },
  createdAt: now.getTime() - 6 * minute,
  endedAt: now.getTime() - 5 * minute,
};
function draw(element: ReactElement, locale: 'en' | 'zh' = 'en'): string {
  return renderToStaticMarkup(
    <IntlProvider locale={locale} messages={{ en, zh }[locale]} timeZone="UTC">
      {element}
    </IntlProvider>,
  );
}

/** What is seen without a pointer over it: elements that fade in with one are left out. */
function atRest(html: string): string {
  return html.replaceAll(/<(\w+)[^>]*pointer-fine:opacity-0[^>]*>.*?<\/\1>/gs, '');
}

beforeEach(() => vi.useFakeTimers({ now }));
afterEach(() => vi.useRealTimers());

describe('stumble: what is known of an answer shows only under a pointer', () => {
  it('has the model, the tokens and the time at rest', () => {
    const shown = atRest(draw(<UsageLine message={answer} />));
    expect(shown).toContain(t('message.tokens', { count: 1234 }));
    expect(shown).toContain('demo/scripted');
    expect(shown).toContain('dateTime="2026-06-15T11:55:00.000Z"');
    expect(shown).toMatch(/<time[^>]*>5\s?m(?:in)?\.? ago<\/time>/);
    expect(atRest(draw(<UsageLine message={answer} />, 'zh'))).toMatch(
      /<time[^>]*>5分钟前<\/time>/,
    );
  });

  it('has the exact time in the tooltip', () => {
    expect(draw(<UsageLine message={answer} />)).toMatch(
      /<time[^>]*title="June 15, 2026[^"]*11:55/,
    );
  });

  it('is told without a model and without figures too', () => {
    const { model: _, usage: __, ...bare } = answer;
    expect(atRest(draw(<UsageLine message={bare} />))).toContain('<time');
  });
});
