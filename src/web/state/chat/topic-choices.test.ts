import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Outbox from './outbox.ts';
import type * as Choices from './topic-choices.ts';

/** What reached the host, in its order; each change of a topic takes until it is let go. */
let received: { path: string; body: Record<string, unknown> }[] = [];
let letGo: (() => void)[] = [];

async function host(path: string, init: RequestInit): Promise<Response> {
  const body = JSON.parse(init.body as string) as Record<string, unknown>;
  received.push({ path, body });
  if (path.endsWith('/messages')) return Response.json({ userMessageId: 'm', answerId: 'a' });
  await new Promise<void>((resolve) => letGo.push(resolve));
  return Response.json({ id: 't', updatedAt: 0, ...body });
}

describe('what is chosen for a topic', () => {
  let choices: typeof Choices;
  let outbox: typeof Outbox;

  beforeEach(async () => {
    const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
    vi.stubGlobal('sessionStorage', storage);
    vi.stubGlobal('fetch', host);
    vi.resetModules();
    [choices, outbox] = await Promise.all([import('./topic-choices.ts'), import('./outbox.ts')]);
    [received, letGo] = [[], []];
    return () => vi.unstubAllGlobals();
  });

  it('counts for the message that is sent right after it, however long the host takes', async () => {
    choices.chooseForTopic('t', { model: 'first' });
    choices.chooseForTopic('t', { model: 'second' });
    const sent = outbox.sendMessage({ topicId: 't', text: 'hello' });
    for (let count = 1; count <= 2; count += 1) {
      await expect.poll(() => letGo).toHaveLength(count);
      letGo.at(-1)?.();
    }
    await sent;
    const said = received.map(({ body }) => body['model'] ?? body['text']);
    expect(said).toEqual(['first', 'second', 'hello']);
  });
});
