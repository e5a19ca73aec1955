import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { ToolBlock } from '#shared/block.ts';
import { en } from '../../messages/en.ts';
import { zh } from '../../messages/zh.ts';
import { ApprovalCard } from './approval-card.tsx';
import { readArguments } from './read-arguments.ts';

function card(
  approval: ToolBlock['approval'],
  locale: 'en' | 'zh' = 'en',
  args: ToolBlock['arguments'] = { url: 'https://a.example/<script>' },
): string {
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
    arguments: args,
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
    expect(card({ rule: 'r' })).not.toContain('value="host"');
  });

  it('shows the exact arguments and every way to decide', () => {
    const shown = card({ rule: 'r' });
    expect(shown).toContain('https://a.example/&lt;script&gt;');
    for (const id of ['approve', 'edit-arguments', 'deny'])
      expect(shown).toContain(`data-testid="${id}"`);
    for (const scope of ['once', 'topic', 'arguments', 'always'])
      expect(shown).toContain(`value="${scope}"`);
  });

  it('says why it asks in the language of the reader', () => {
    const general = { rule: 'English words', reason: 'may_change' as const };
    expect(card(general)).toContain('the tool may change something');
    expect(card(general, 'zh')).toContain('该工具可能会更改内容');
    const byRule = { action: 'ask' as const, toolName: 'fetch', annotations: { openWorld: true } };
    expect(card({ rule: 'English words', byRule }, 'zh')).toContain('工具 fetch · 会访问本机以外');
    expect(card({ rule: 'words of an older host' })).toContain('words of an older host');
  });

  it('shows characters that would hide or turn others', () => {
    expect(card({ rule: 'r' }, 'en', { path: 'a\u202Etxt.exe' })).toContain('U+202E');
  });
});

describe('readArguments', () => {
  it('takes one JSON object and nothing else', () => {
    expect(readArguments('{"a": [1]}')).toEqual({ a: [1] });
    for (const text of ['', '[]', 'null', '"a"', '{', '{}{}', '{a: 1}'])
      expect(readArguments(text)).toBeUndefined();
  });
});
