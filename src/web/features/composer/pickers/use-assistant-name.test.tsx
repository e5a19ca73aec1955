import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { Assistant } from '#shared/vocabulary/message.ts';
import { zh } from '../../../messages/zh/zh.ts';
import { useAssistantName } from './use-assistant-name.ts';

function Name({ assistant }: { assistant: Assistant }) {
  return useAssistantName()(assistant);
}

function nameIn(fields: Pick<Assistant, 'id' | 'name'>): string {
  const mcp = { enabled: true, mode: 'auto' as const, selectedServers: [] };
  const assistant = { systemPrompt: '', parameters: {}, mcp, createdAt: 0, updatedAt: 0 };
  return renderToStaticMarkup(
    <IntlProvider locale="zh" messages={zh} timeZone="UTC">
      <Name assistant={{ ...assistant, ...fields }} />
    </IntlProvider>,
  );
}

describe('the name of an assistant', () => {
  it('is translated for the one that everyone starts with', () => {
    expect(nameIn({ id: 'default', name: 'Assistant' })).toBe('助手');
  });

  it('stays as a user wrote it', () => {
    expect(nameIn({ id: 'default', name: 'Editor' })).toBe('Editor');
    expect(nameIn({ id: 'a1', name: 'Assistant' })).toBe('Assistant');
  });
});
