import { beforeAll, describe, expect, it, vi } from 'vitest';

/** A storage like a browser's: its keys are its own properties. */
function storage(entries: Record<string, string>): Storage {
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
    removeItem: (key: string) => void delete kept[key],
  };
  const kept = Object.assign(Object.create(methods) as Record<string, string>, entries);
  return kept as unknown as Storage;
}

const outgoing = { key: 'k', topicId: 't', text: 'private words', state: 'failed' };

describe('signing out', () => {
  beforeAll(() => {
    const draft = JSON.stringify({ text: 'private words', attachments: [] });
    vi.stubGlobal('localStorage', storage({ 'cerise.draft.t': draft, 'cerise.other': 'stays' }));
    vi.stubGlobal(
      'sessionStorage',
      storage({ 'cerise.outbox': JSON.stringify([outgoing]), other: 'stays' }),
    );
    return () => vi.unstubAllGlobals();
  });

  it('leaves nothing unsent to whoever signs in next', async () => {
    const { readDraft, writeDraft } = await import('./drafts.ts');
    const { useOutbox } = await import('./outbox.ts');
    const { signOut } = await import('./session.ts');
    writeDraft(null, { text: 'more private words' });
    expect(readDraft('t').text).toBe('private words');
    expect(useOutbox.getState().messages).toMatchObject([outgoing]);
    signOut();
    expect([readDraft('t').text, readDraft(null).text]).toEqual(['', '']);
    expect(useOutbox.getState().messages).toEqual([]);
    expect(Object.entries(localStorage)).toEqual([['cerise.other', 'stays']]);
    expect(Object.entries(sessionStorage)).toEqual([['other', 'stays']]);
  });
});
