import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import { t } from '../../../../test/e2e/texts.ts';
import { en } from '../../messages/en/en.ts';
import { zh } from '../../messages/zh/zh.ts';
import { WaysOn } from './ways-on.tsx';
import { type Answerer, Suggestions, WhatWorks } from './who-answers.tsx';

const messages = { en, zh };
const builtin = (...names: string[]) => names.map((name) => ({ name, builtin: true }));
const usual = builtin('fetch', 'memory', 'filesystem', 'time', 'calculator', 'demo');

const demo: Omit<Answerer, 'assistant'> = {
  model: 'Demo',
  scripted: true,
  instructed: false,
  servers: usual,
};
const real = { ...demo, model: 'Cherry 5', scripted: false };

function suggested(
  answering: typeof demo,
  locale: 'en' | 'zh' = 'en',
  onTour?: () => void,
): string[] {
  const html = renderToStaticMarkup(
    <IntlProvider locale={locale} messages={messages[locale]} timeZone="UTC">
      <Suggestions {...answering} onSuggest={() => undefined} onTour={onTour} />
    </IntlProvider>,
  );
  return [...html.matchAll(/<button[^>]*>([^<]*)</g)].map(([, text = '']) => text);
}

describe('the suggestions of an empty chat', () => {
  it('are the tricks of the demo model where that answers', () => {
    expect(suggested(demo)).toEqual([
      en.chat.suggestTime,
      en.chat.suggestSum,
      en.chat.suggestMemory,
      en.chat.suggestCode,
      en.chat.suggestDraw,
      en.chat.suggestForm,
      en.chat.suggestSampling,
    ]);
    expect(suggested(demo, 'zh')).toContain(zh.chat.suggestDraw);
  });

  it('leave out the tricks whose servers are off', () => {
    const few = { ...demo, servers: builtin('calculator', 'time') };
    expect(suggested(few)).toEqual([en.chat.suggestSum, en.chat.suggestCode, en.chat.suggestDraw]);
  });

  it('are real questions for a real model, by the servers that are on', () => {
    const { suggestFiles, suggestPage, suggestExplain, suggestDraft } = en.chat;
    expect(suggested(real)).toEqual([suggestFiles, suggestPage, suggestExplain, suggestDraft]);
    expect(suggested({ ...real, servers: [] })).toEqual([suggestExplain, suggestDraft]);
  });

  it('name a server that was added, and ask an assistant what it is for', () => {
    const servers = [...usual, { name: 'Jira', builtin: false }];
    const [assistant, server] = suggested({ ...real, instructed: true, servers });
    expect(assistant).toBe(t('chat.suggestAssistant'));
    expect(server).toBe(t('chat.suggestServer', { server: 'Jira' }));
  });

  it('are none before it is known who answers; the tour comes last once it was seen', () => {
    expect(suggested({ ...demo, model: undefined })).toEqual([]);
    expect(suggested(demo, 'en', () => undefined).at(-1)).toBe(en.chat.suggestTourLabel);
  });
});

describe('what the page says of who answers', () => {
  const said = (assistant?: string, answering: typeof demo = real) =>
    renderToStaticMarkup(
      <IntlProvider locale="en" messages={en} timeZone="UTC">
        <WhatWorks {...answering} servers={[]} assistant={assistant} />
      </IntlProvider>,
    );

  it('follows the model and the assistant', () => {
    const model = 'Cherry 5';
    expect(said()).toContain(t('chat.works', { model, count: 0 }));
    const assistant = 'Editor';
    expect(said(assistant)).toContain(t('chat.worksAs', { assistant, model, count: 0 }));
    expect(said(assistant, demo)).toContain(t('chat.worksScripted', { count: 0 }));
  });
});

describe('the end of the tour', () => {
  const linksWith = (hasModel: boolean) => {
    const html = renderToStaticMarkup(
      <IntlProvider locale="en" messages={en} timeZone="UTC">
        <Router ssrPath="/">
          <WaysOn hasModel={hasModel} onLeave={() => undefined} />
        </Router>
      </IntlProvider>,
    );
    return [...html.matchAll(/<a (.*?)>([^<]*)</g)].map(([, about = '', text = '']) => ({
      text,
      href: /href="([^"]*)"/.exec(about)?.[1],
      isMain: about.includes('button-primary'),
    }));
  };

  it('leads to a model and to a server of one’s own', () => {
    expect(linksWith(false)).toEqual([
      { text: t('chat.addServer'), href: '/servers?add', isMain: false },
      { text: t('chat.addModel'), href: '/settings/models?add', isMain: true },
    ]);
  });

  it('leads to a model in the first place only where there is none', () => {
    expect(linksWith(true).some(({ isMain }) => isMain)).toBe(false);
  });
});
