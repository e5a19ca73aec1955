import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { t } from '../../../../../test/e2e/texts.ts';
import { en } from '../../../messages/en/en.ts';
import { zh } from '../../../messages/zh/zh.ts';
import { ApprovalBatch } from './approval-batch.tsx';

const call = (id: string, host?: string): ToolBlock => ({
  id,
  messageId: 'm',
  ordinal: 0,
  round: 0,
  startedAt: 0,
  content: '',
  type: 'tool',
  status: 'pending',
  toolCallId: id,
  callId: id,
  state: 'proposed',
  serverId: 's',
  serverName: 'web',
  toolName: 'fetch',
  modelToolName: 'fetch',
  arguments: {},
  approval: { rule: 'r', ...(host !== undefined && { host }) },
});

function batch(blocks: ToolBlock[], locale: 'en' | 'zh' = 'en'): string {
  const rest = { id: 'm', topicId: 't', parentId: null, createdAt: 0 };
  return renderToStaticMarkup(
    <IntlProvider locale={locale} messages={{ en, zh }[locale]} timeZone="UTC">
      <ApprovalBatch message={{ ...rest, role: 'assistant', status: 'waiting', blocks }} />
    </IntlProvider>,
  );
}

describe('several calls that ask', () => {
  it('batches without scopes: offer each scope that every one of them offers', () => {
    const plain = batch([call('a'), call('b', 'a.example')]);
    for (const scope of ['once', 'topic', 'arguments', 'always'])
      expect(plain).toContain(`value="${scope}"`);
    expect(plain).not.toContain('value="host"');
    const same = batch([call('a', 'a.example'), call('b', 'a.example')]);
    expect(same).toContain(`${t('approval.scopes.host', { host: 'a.example' })}<`);
    const hosts = [call('a', 'a.example'), call('b', 'b.example')];
    expect(batch(hosts)).toContain(
      `${t('approval.scopes.host', { host: 'a.example and b.example' })}<`,
    );
    expect(batch(hosts, 'zh')).toContain('value="host"');
  });
});
