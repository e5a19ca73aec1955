import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { topicMarkdown } from './topic-markdown.ts';

const base = { messageId: 'm', ordinal: 0, status: 'success', content: '', round: 0, startedAt: 0 };

function written(block: object): string {
  const blocks = [{ id: 'b', ...base, ...block } as Block];
  const message: Message = {
    id: 'm',
    topicId: 't',
    parentId: null,
    role: 'assistant',
    status: 'success',
    createdAt: Date.UTC(2026, 0, 2, 3, 4),
    blocks,
  };
  return topicMarkdown({ title: 'T' }, [message]);
}

describe('topicMarkdown', () => {
  it('says who wrote and when', () => {
    expect(written({ type: 'main_text', content: 'Hi\n' })).toBe(
      '# T\n\n## Assistant\n\n*2026-01-02 03:04 UTC*\n\nHi\n',
    );
  });

  it('fences a result so that nothing in it ends the fence', () => {
    const result = { content: [{ type: 'text', text: 'a\n````\n# b' }] };
    const call = {
      serverName: 's',
      toolName: 'x',
      state: 'succeeded',
      arguments: { a: 1 },
      result,
    };
    const text = written({ type: 'tool', ...call });
    expect(text).toContain('**s · x** (succeeded)\n\n```json\n{\n  "a": 1\n}\n```\n');
    expect(text).toContain('`````\na\n````\n# b\n`````\n');
  });

  it('quotes thinking and errors and names files', () => {
    expect(written({ type: 'thinking', content: 'a\nb' })).toContain('> a\n> b');
    const error = { code: 'timed_out', message: 'Too slow.' };
    expect(written({ type: 'error', error })).toContain('> Error: Too slow.');
    expect(written({ type: 'image', name: 'a.png' })).toContain('*[image: a.png]*');
  });
});
