import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { ToolBlock } from '#shared/block.ts';
import { en } from '../../messages/en.ts';
import { zh } from '../../messages/zh.ts';
import { ApprovalCard } from './approval-card.tsx';
import { readArguments } from './read-arguments.ts';

function card(approval: ToolBlock['approval'], locale: 'en' | 'zh' = 'en'): string {
  const block: ToolBlock = {
    id: 'b',
    messageId: 'm',
    ordinal: 0,
    round: 0,
    startedAt: 0,
    content: '',
    type: 'tool',
    status: 'pending',
    toolCallId: 'c',
    callId: 'c',
    state: 'proposed',
    serverId: 's',
    serverName: 'web',
    toolName: 'fetch',
    modelToolName: 'fetch',
    arguments: { url: 'https://a.example/<script>' },
    ...(approval && { approval }),
  };
  return renderToStaticMarkup(
    <IntlProvider locale={locale} messages={{ en, zh }[locale]} timeZone="UTC">
      <ApprovalCard block={block} />
    </IntlProvider>,
  );
}

describe('the card of a call that asks', () => {
  it('offers its host where the arguments name one', () => {
    expect(card({ rule: 'r', host: 'a.example' })).toContain('Always for a.example');
    expect(card({ rule: 'r', host: 'a.example' }, 'zh')).toContain('对 a.example 始终批准');
    expect(card({ rule: 'r' })).not.toContain('approve-host');
  });

  it('shows the exact arguments and every way to decide', () => {
    const shown = card({ rule: 'r' });
    expect(shown).toContain('https://a.example/&lt;script&gt;');
    for (const id of ['approve', 'approve-topic', 'approve-arguments', 'approve-always', 'deny'])
      expect(shown).toContain(`data-testid="${id}"`);
  });
});

describe('readArguments', () => {
  it('takes one JSON object and nothing else', () => {
    expect(readArguments('{"a": [1]}')).toEqual({ a: [1] });
    for (const text of ['', '[]', 'null', '"a"', '{', '{}{}', '{a: 1}'])
      expect(readArguments(text)).toBeUndefined();
  });
});
