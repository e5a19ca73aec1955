import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as LineModule from '../page/line.ts';
import type * as OutboxModule from './outbox.ts';

type Outbox = typeof OutboxModule;
type Line = typeof LineModule;

/** What reached the host, and what it says to the next request: nothing while it is away. */
let received: { path: string; text: string; key: string | null }[] = [];
let away = false;
let attempts = 0;

async function host(path: string, init: RequestInit): Promise<Response> {
  attempts += 1;
  if (away) throw new TypeError('fetch failed');
  const { text = '' } = JSON.parse(init.body as string) as { text?: string };
  received.push({ path, text, key: new Headers(init.headers).get('idempotency-key') });
  if (!path.endsWith('/messages')) return Response.json({ id: 'made', updatedAt: 0 });
  return Response.json({ userMessageId: `of ${text}`, answerId: 'a' });
}

describe('a message written while the host is away', () => {
  let outbox: Outbox;
  let line: Line;

  beforeEach(async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
    vi.stubGlobal('fetch', host);
    vi.resetModules();
    [outbox, line] = await Promise.all([import('./outbox.ts'), import('../page/line.ts')]);
    received = [];
    attempts = 0;
    goAway();
    return () => vi.unstubAllGlobals();
  });

  const goAway = () => {
    away = true;
    line.useLine.setState({ live: false });
  };
  const comeBack = async () => {
    // The first attempt has failed by then, and waits.
    await vi.waitFor(() => expect(attempts).toBe(1));
    await new Promise(setImmediate);
    away = false;
    line.useLine.setState({ live: true });
  };
  const states = () => outbox.useOutbox.getState().messages.map(({ state }) => state);

  it('waits, is kept over a reload, and goes once when the host is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const sent = outbox.sendMessage({ topicId: 't', text: 'held' });
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect([states(), attempts, received]).toEqual([['sending'], 1, []]);
    expect(sessionStorage.getItem('cerise.outbox')).toContain('held');
    await comeBack();
    await sent;
    expect(received.map(({ text }) => text)).toEqual(['held']);
    expect(states()).toEqual(['accepted']);
  });

  it('arrives in the order in which it was written', async () => {
    const sent = ['one', 'two', 'three'].map((text) => outbox.sendMessage({ topicId: 't', text }));
    await comeBack();
    await Promise.all(sent);
    expect(received.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(new Set(received.map(({ key }) => key)).size).toBe(3);
  });

  it('does not go any more once it was given up', async () => {
    const sent = outbox.sendMessage({ topicId: 't', text: 'no' });
    outbox.outbox.drop(outbox.useOutbox.getState().messages[0]?.key ?? '');
    await comeBack();
    await sent;
    expect(received).toEqual([]);
  });

  it('goes again with the same key where only the answer was lost', async () => {
    const keys: (string | null)[] = [];
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get('idempotency-key'));
      return host(path, init);
    });
    const sent = outbox.sendMessage({ topicId: 't', text: 'twice' });
    await vi.waitFor(() => expect(keys).toHaveLength(1));
    await comeBack();
    await sent;
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('begins a conversation that is made once, and what follows goes there in its order', async () => {
    const { useNewChat } = await import('./new-chat.ts');
    useNewChat.setState({ choice: { model: 'a/b' } });
    const sent = ['one', 'two'].map((text) => outbox.sendMessage({ topicId: null, text }));
    const kept = sessionStorage.getItem('cerise.outbox') ?? '';
    expect(kept).toContain('a/b');
    useNewChat.setState({ choice: { model: 'a/c' } });
    await comeBack();
    await Promise.all(sent);
    expect(received.map(({ path, text }) => [path, text])).toEqual([
      ['/api/topics', ''],
      ['/api/topics/made', ''],
      ['/api/topics/made/messages', 'one'],
      ['/api/topics/made/messages', 'two'],
    ]);
    const topicIds = outbox.useOutbox.getState().messages.map(({ topicId }) => topicId);
    expect(topicIds).toEqual(['made', 'made']);
  });

  it('makes the conversation with the same key after a reload, and with what was chosen', async () => {
    const { useNewChat } = await import('./new-chat.ts');
    useNewChat.setState({ choice: { model: 'a/b' } });
    const keys: (string | null)[] = [];
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get('idempotency-key'));
      return host(path, init);
    });
    void outbox.sendMessage({ topicId: null, text: 'kept' });
    await vi.waitFor(() => expect(keys).toHaveLength(1));
    vi.resetModules();
    const later = await import('./outbox.ts');
    const choices = await import('./new-chat.ts');
    expect(choices.useNewChat.getState().choice).toEqual({ model: 'a/b' });
    const [message] = later.useOutbox.getState().messages;
    expect(message).toMatchObject({ topicId: null, text: 'kept', state: 'failed' });
    away = false;
    if (message) await later.outbox.retry(message);
    expect(keys[0]).toMatch(/-topic$/);
    expect(keys[1]).toBe(keys[0]);
    expect(received.map(({ path }) => path)).toEqual(['/api/topics', '/api/topics/made/messages']);
  });

  it('leaves no empty conversation where it was taken back while that was made', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      asked.push(`${init.method} ${path}`);
      outbox.outbox.drop(outbox.useOutbox.getState().messages[0]?.key ?? '');
      if (init.method === 'DELETE') return new Response(null, { status: 204 });
      return Response.json({ id: 'made', updatedAt: 0 });
    });
    await outbox.sendMessage({ topicId: null, text: 'no' });
    expect(asked).toEqual(['POST /api/topics', 'DELETE /api/topics/made']);
  });

  it('makes no conversation once its only message was taken back', async () => {
    const sent = outbox.sendMessage({ topicId: null, text: 'no' });
    outbox.outbox.drop(outbox.useOutbox.getState().messages[0]?.key ?? '');
    await comeBack();
    await sent;
    expect(received).toEqual([]);
  });

  it('is offered again where the line is up but the host refuses it', async () => {
    line.useLine.setState({ live: true });
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { status: 500 })));
    await outbox.sendMessage({ topicId: 't', text: 'refused' });
    expect(states()).toEqual(['failed']);
  });
});
