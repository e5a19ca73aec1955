import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { ToolView } from '#shared/api/api.ts';
import type { PolicyDocument, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import { en } from '../../../messages/en/en.ts';
import { zh } from '../../../messages/zh/zh.ts';
import { ToolPolicy } from './tool-policy.tsx';

const own: PolicyRule = { id: 'r1', action: 'deny', serverId: 's', toolName: 'write' };
const broad: PolicyRule = { id: 'r2', action: 'ask', toolName: 'wri*', note: 'Nothing is written' };

function wordsOf(verdict: ToolView['verdict'], locale: 'en' | 'zh' = 'en'): string {
  const policy: PolicyDocument = {
    version: '1',
    rules: [own, broad],
    trustedServers: [],
    safeToRepeat: [],
  };
  const state = { policy, error: undefined, busy: false, writes: 0, change: async () => {} };
  const tool: ToolView = {
    name: 'write',
    modelName: 'write',
    description: '',
    inputSchema: {},
    annotations: {},
    enabled: true,
    verdict,
  };
  const html = renderToStaticMarkup(
    <IntlProvider locale={locale} messages={{ en, zh }[locale]} timeZone="UTC">
      <ToolPolicy serverId="s" tool={tool} state={state} />
    </IntlProvider>,
  );
  const shown = /data-testid="tool-verdict".*?<\/p>/s.exec(html)?.[0] ?? '';
  return shown
    .slice(shown.indexOf('>') + 1)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

describe('stumble: what becomes of the calls of a tool is hidden', () => {
  it('is told with its reason where no rule decides', () => {
    const verdict = { action: 'ask', rule: 'x', reason: 'may_change' } as const;
    expect(wordsOf(verdict)).toMatch(new RegExp(`Ask .*${en.approval.reasons.may_change}`));
    expect(wordsOf(verdict, 'zh')).toMatch(new RegExp(`询问 .*${zh.approval.reasons.may_change}`));
  });

  it('is told with the rule that decides', () => {
    expect(wordsOf({ action: 'deny', rule: 'x', ruleId: 'r1' })).toMatch(
      new RegExp(`Deny .*${en.servers.verdictOwn}`),
    );
    expect(wordsOf({ action: 'ask', rule: 'x', ruleId: 'r2' })).toMatch(
      /Ask .*Rule: Nothing is written/,
    );
    expect(wordsOf({ action: 'deny', rule: 'An admin says no', ruleId: 'theirs' })).toMatch(
      /Deny .*An admin says no/,
    );
  });

  it('says where certain arguments or chats may be judged otherwise', () => {
    const verdict = { action: 'allow', rule: 'x', reason: 'read_only' } as const;
    expect(wordsOf({ ...verdict, varies: true })).toContain('certain arguments');
    expect(wordsOf(verdict)).not.toContain('certain arguments');
  });
});
