import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Json } from '#shared/vocabulary/json.ts';
import { t, textLike } from '../../../../../test/e2e/texts.ts';
import { en } from '../../../messages/en/en.ts';
import { zh } from '../../../messages/zh/zh.ts';
import { readArguments } from '../arguments/read-arguments.ts';
import { ApprovalCard } from './approval-card.tsx';

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
    expect(card({ rule: 'r', host: 'a.example' })).toContain(
      t('approval.scopes.host', { host: 'a.example' }),
    );
    expect(card({ rule: 'r', host: 'a.example' }, 'zh')).toContain(
      t('approval.scopes.host', { host: 'a.example' }, 'zh'),
    );
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
    expect(card(general)).toContain(en.approval.reasons.may_change);
    expect(card(general, 'zh')).toContain(zh.approval.reasons.may_change);
    const byRule = { action: 'ask' as const, toolName: 'fetch', annotations: { openWorld: true } };
    expect(card({ rule: 'English words', byRule }, 'zh')).toContain(
      `${t('policy.ofTool', { name: 'fetch' }, 'zh')} · ${zh.policy.openWorld}`,
    );
    expect(card({ rule: 'words of an older host' })).toContain('words of an older host');
  });

  it('T84: shows every character that would hide or turn others', () => {
    const shown = (args: ToolBlock['arguments']) => card({ rule: 'r' }, 'en', args);
    expect(shown({ path: 'a\u202Etxt.exe' })).toContain('U+202E');
    for (const code of ['034F', '2800', '17B4', 'FE0F', '00A0', 'E0100'])
      expect(shown({ a: `x${String.fromCodePoint(parseInt(code, 16))}y` })).toContain(`U+${code}`);
    expect(shown({ a: `ls${'\n'.repeat(14)}rm -rf /` })).toContain('⏎ × 14');
    expect(shown({ a: 'ls ' })).toContain('U+0020');
    expect(shown({ ['k\u200B']: 1 })).toContain('U+200B');
    expect(shown({ host: 'pаypal.com' })).toContain(
      `${en.hidden.scripts.Latin} + ${en.hidden.scripts.Cyrillic}`,
    );
  });

  it('T84: can be approved only once everything in it is shown', () => {
    const approve = (html: string) => /<button[^>]*data-testid="approve"[^>]*>/.exec(html)?.[0];
    const short = card({ rule: 'r' });
    expect(approve(short)).not.toContain('disabled=""');
    expect(short).not.toContain('data-testid="show-rest"');
    const hidden: ToolBlock['arguments'][] = [
      { command: `${'x'.repeat(100_000)} rm -rf /` },
      { command: `${'a\n'.repeat(214)}rm -rf /` },
      Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key${at}`, 'v'])),
      { list: Array.from({ length: 500 }, (_, at) => at) },
      { ['k'.repeat(5000)]: 'rm -rf /' },
    ];
    for (const args of hidden) {
      const long = card({ rule: 'r' }, 'en', args);
      expect(approve(long)).toContain('disabled=""');
      expect(long).toContain('data-testid="show-rest"');
      expect(long).toContain('data-testid="unseen"');
    }
    for (const locale of ['en', 'zh'] as const) {
      const html = card({ rule: 'r' }, locale, { c: 'a\n'.repeat(300) });
      const [, rest] = /data-testid="show-rest"[^>]*>([^<]*)</.exec(html) ?? [];
      expect(rest).toMatch(textLike('hidden.showLines', { lines: /2\d\d/ }, locale));
    }
  });

  it('T84: keeps the order of what stands beside letters from right to left', () => {
    const shown = card({ rule: 'r' }, 'en', { pay: 'אבג דה 100 200 ו/../ז' });
    expect(shown).toContain('<bdi>אבג דה</bdi> 100 200 <bdi>ו</bdi>/../<bdi>ז</bdi>');
  });

  it('T84: tells text from the data it looks like', () => {
    const isText = (value: Json) => card({ rule: 'r' }, 'en', { a: value }).includes('>text<');
    expect(['5', 'null', '[1]', '""'].map(isText)).toEqual([true, true, true, true]);
    expect([5, null, [1], '', 'hi', '5 apples'].map(isText)).not.toContain(true);
  });
});

describe('readArguments', () => {
  it('takes one JSON object and nothing else', () => {
    expect(readArguments('{"a": [1]}')).toEqual({ a: [1] });
    for (const text of ['', '[]', 'null', '"a"', '{', '{}{}', '{a: 1}'])
      expect(readArguments(text)).toBeUndefined();
  });
});
