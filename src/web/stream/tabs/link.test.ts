import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToHub, ToTab } from '../hub-protocol.ts';

let said: ToHub[];
let tell: (message: ToTab) => void;
vi.mock('./hub-port.ts', () => ({
  openHubPort: (receive: (message: ToTab) => void) => {
    tell = receive;
    return { post: (message: ToHub) => said.push(message) };
  },
}));

class FakeTarget extends EventTarget {
  hidden = false;
}

async function open(navigator: object = {}) {
  vi.resetModules();
  const page = new FakeTarget();
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', page);
  vi.stubGlobal('navigator', navigator);
  const { openLink, followTopic } = await import('./link.ts');
  const heard: string[] = [];
  const close = openLink({
    onOpen: () => heard.push('open'),
    onDown: () => heard.push('down'),
    onEvent: ({ type }) => heard.push(type),
    onSignedOut: () => heard.push('signed out'),
  });
  const see = (hidden: boolean) => {
    page.hidden = hidden;
    page.dispatchEvent(new globalThis.Event('visibilitychange'));
  };
  return { page, heard, close, followTopic, see };
}

const of = (topicId: string, seq: number, more: object = {}): ToTab => ({
  type: 'topic',
  topicId,
  data: JSON.stringify({ seq, type: 'topic-update', ...more }),
});

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a tab's end of the stream", () => {
  it('hands over what comes, to whom it is for', async () => {
    const { heard, followTopic } = await open();
    const seqs: (number | undefined)[] = [];
    const end = followTopic('one', 3, {
      onEvent: ({ seq }) => seqs.push(seq),
      onGone: () => heard.push('gone'),
    });
    tell({ type: 'open' });
    tell(of('one', 4));
    tell(of('two', 9));
    tell({ type: 'gone', topicId: 'one' });
    end();
    tell(of('one', 5));
    expect(said.map(({ type }) => type)).toEqual(['attach', 'follow', 'unfollow']);
    expect([heard, seqs]).toEqual([['open', 'gone'], [4]]);
  });

  it('asks once for what is missing, and hands nothing over out of order', async () => {
    const { followTopic } = await open();
    const seqs: (number | undefined)[] = [];
    followTopic('one', 3, { onEvent: ({ seq }) => seqs.push(seq), onGone: () => {} });
    said = [];
    for (const seq of [4, 7, 8]) tell(of('one', seq));
    expect(said).toEqual([{ type: 'follow', topicId: 'one', after: 4 }]);
    for (const seq of [5, 6, 7, 8, 9]) tell(of('one', seq));
    expect(seqs).toEqual([4, 5, 6, 7, 8, 9]);
    tell(of('one', 40, { type: 'snapshot' }));
    tell(of('one', 41));
    expect(seqs.slice(-2)).toEqual([40, 41]);
    expect(said).toHaveLength(1);
  });

  it('follows no topic while it is long hidden, still hears of the host, and goes on where it was', async () => {
    const { heard, followTopic, see } = await open();
    followTopic('one', 3, { onEvent: () => {}, onGone: () => {} });
    tell(of('one', 4));
    said = [];
    see(true);
    await vi.advanceTimersByTimeAsync(10_000);
    see(false);
    expect(said).toEqual([{ type: 'wake' }]);
    see(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(said.at(-1)).toEqual({ type: 'unfollow', topicId: 'one' });
    tell({ type: 'host', event: { type: 'topic-deleted', topicId: 'two' } });
    expect(heard).toEqual(['topic-deleted']);
    followTopic('three', 7, { onEvent: () => {}, onGone: () => {} });
    expect(said).toHaveLength(2);
    see(false);
    expect(said.slice(2)).toEqual([
      { type: 'follow', topicId: 'one', after: 4 },
      { type: 'follow', topicId: 'three', after: 7 },
      { type: 'wake' },
    ]);
  });

  it('leaves with the page and comes back with it', async () => {
    const { page } = await open();
    page.dispatchEvent(new globalThis.Event('pagehide'));
    page.dispatchEvent(new globalThis.Event('pageshow'));
    page.dispatchEvent(new globalThis.Event('online'));
    expect(said.map(({ type }) => type)).toEqual(['attach', 'detach', 'attach', 'wake']);
  });

  it('takes part only with a lock that it still holds', async () => {
    const held = new Set<string>();
    const grants: (() => void)[] = [];
    const request = (name: string, hold: () => Promise<void>) =>
      new Promise<void>((resolve) => {
        grants.push(() => {
          held.add(name);
          void hold().then(() => {
            held.delete(name);
            resolve();
          });
        });
      });
    const { page } = await open({ locks: { request } });
    page.dispatchEvent(new globalThis.Event('pagehide'));
    page.dispatchEvent(new globalThis.Event('pageshow'));
    for (const grant of grants) grant();
    await vi.advanceTimersByTimeAsync(1);
    const locks = said.flatMap((one) => (one.type === 'attach' ? [one.lock] : []));
    expect(locks).toHaveLength(1);
    expect([...held]).toEqual(locks);
    page.dispatchEvent(new globalThis.Event('pagehide'));
    await vi.advanceTimersByTimeAsync(1);
    expect(held.size).toBe(0);
  });

  it('says that the sign-in has ended', async () => {
    const { heard } = await open();
    tell({ type: 'signed-out' });
    tell({ type: 'open' });
    expect(heard).toEqual(['signed out']);
  });
});
