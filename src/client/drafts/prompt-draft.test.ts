import { describe, expect, it } from 'vitest';
import type { PromptMessage } from '../api/servers.ts';
import { promptDraft } from './prompt-draft.ts';

const user = (text: string): PromptMessage => ({ role: 'user', content: { type: 'text', text } });
const assistant = (text: string): PromptMessage => ({
  role: 'assistant',
  content: { type: 'text', text },
});

describe('promptDraft', () => {
  it("makes the user's texts the text of the message", () => {
    expect(promptDraft('p', [user('one'), user('two')])).toEqual({ text: 'one\n\ntwo', files: [] });
  });

  it('quotes what was said before the last question, with its roles', async () => {
    const { text, files } = promptDraft('p', [user('hi'), assistant('hello'), user('now?')]);
    expect(text).toBe('now?');
    expect(files.map(({ name, type }) => [name, type])).toEqual([['p.md', 'text/markdown']]);
    expect(await files[0]?.text()).toBe('## user\n\nhi\n\n## assistant\n\nhello');
  });

  it('makes media and embedded resources files of their own', async () => {
    const { text, files } = promptDraft('p', [
      user('look'),
      { role: 'user', content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } },
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: 'demo://a/notes.md', text: 'note' } },
      },
    ]);
    expect(text).toBe('look');
    expect(files.map(({ name }) => name)).toEqual(['p-1.png', 'notes.md']);
    expect(await files[0]?.text()).toBe('hi');
  });

  it('says so where bytes are none', () => {
    const broken: PromptMessage = {
      role: 'user',
      content: { type: 'image', data: '%%%', mimeType: 'image/png' },
    };
    expect(() => promptDraft('p', [broken])).toThrow("can't be read");
  });
});
