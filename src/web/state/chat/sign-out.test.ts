import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { MeView } from '#shared/api/people-api.ts';

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
const me = (id: string) => ({ user: { id, role: 'user' } }) as MeView;
const secret = 'private words';

/** The page as it is loaded, in a browser that has kept something. */
async function load() {
  vi.resetModules();
  const { useSession, signOut } = await import('../session/session.ts');
  const { readDraft, writeDraft } = await import('./drafts.ts');
  const { useOutbox } = await import('./outbox.ts');
  const { forgetPerson } = await import('../session/person.ts');
  const unsent = () => [
    readDraft('t').text,
    useOutbox
      .getState()
      .messages.map(({ text }) => text)
      .join(),
  ];
  const enter = (id: string) => useSession.setState({ me: me(id), signedOut: false });
  return { signOut, enter, unsent, readDraft, writeDraft, forgetPerson };
}

const stored = () =>
  [localStorage, sessionStorage].flatMap((each) => Object.entries(each)).join('\n');

describe('what is unsent', () => {
  beforeEach(() => {
    const draft = JSON.stringify({ text: secret, attachments: [] });
    vi.stubGlobal('localStorage', storage({ 'cerise.draft.t': draft, 'cerise.other': 'stays' }));
    vi.stubGlobal(
      'sessionStorage',
      storage({ 'cerise.outbox': JSON.stringify([outgoing]), other: 'stays' }),
    );
    return () => vi.unstubAllGlobals();
  });

  it('is not shown once the sign-in has ended, and is there when the same person is back', async () => {
    const page = await load();
    page.enter('ana');
    expect(page.unsent()).toEqual([secret, secret]);
    page.signOut();
    expect(page.unsent()).toEqual(['', '']);
    const next = await load();
    expect(next.unsent()).toEqual(['', '']);
    next.enter('ana');
    expect(next.unsent()).toEqual([secret, secret]);
    expect((await load()).unsent()).toEqual([secret, secret]);
  });

  it('is gone when somebody else signs in', async () => {
    const page = await load();
    page.enter('ana');
    page.signOut();
    const next = await load();
    expect(next.unsent()).toEqual(['', '']);
    next.enter('ben');
    expect(next.unsent()).toEqual(['', '']);
    expect(stored()).not.toContain(secret);
    expect(stored()).toContain('cerise.other,stays');
  });

  it('is gone when it turns out that another person uses the browser, without a word before', async () => {
    const page = await load();
    page.enter('ana');
    (await load()).enter('ben');
    expect(stored()).not.toContain(secret);
  });

  it('is gone when the person leaves', async () => {
    const page = await load();
    page.enter('ana');
    page.forgetPerson();
    expect(page.unsent()).toEqual(['', '']);
    expect(stored()).not.toContain(secret);
  });

  it.each(['ana', 'ben'])(
    'of %s stays where it is typed before it is known who types',
    async (who) => {
      const page = await load();
      page.enter('ana');
      page.signOut();
      const next = await load();
      next.writeDraft('u', { text: 'typed early' });
      expect(stored()).not.toContain('typed early');
      next.enter(who);
      expect(next.readDraft('u').text).toBe('typed early');
      expect(stored()).toContain('typed early');
      expect(next.unsent()).toEqual(who === 'ana' ? [secret, secret] : ['', '']);
      expect(stored().includes(secret)).toBe(who === 'ana');
    },
  );
});
