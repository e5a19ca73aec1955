import { describe, expect, it } from 'vitest';
import type { Playback } from '../fakes/vendor-replay.ts';
import { finished, owner, until, watch } from '../host.ts';
import { farewell } from './recorded.ts';
import { useReplayHost } from './replay-host.ts';

const refused = (status: number, headers: Record<string, string> = {}): Playback => ({
  bytes: Buffer.from('{"error":{"message":"Not now."}}'),
  contentType: 'application/json',
  status,
  headers,
});

/** A question to a vendor that plays this; the topic that it is asked in. */
async function ask(...playbacks: Playback[]) {
  const { host, provider } = await useReplayHost();
  const vendor = await provider('openai-compatible');
  const other = await provider('openai-compatible', 'model-2');
  vendor.play(...playbacks);
  other.play({ bytes: farewell('openai-chat') });
  const topic = await host.topics.create(owner, { model: 'vendor-1/model-1' });
  const sent = await host.messages.send(owner, topic.id, { text: 'Q' });
  return { host, vendor, topic, ...sent };
}

describe('a model that is asked again', () => {
  it('says so to everybody who looks, then or later, until it answers', async () => {
    const done = { bytes: farewell('openai-chat') };
    const { host, topic, answerId } = await ask(refused(429, { 'retry-after': '1' }), done);
    const waiting = await until(host, topic.id, answerId, ({ waiting: now }) =>
      Boolean(now?.retry),
    );
    const { retry, ...rest } = waiting.waiting!;
    expect(rest).toMatchObject({ for: 'model' });
    expect(retry).toMatchObject({ reason: 'rate_limited', attempt: 2, of: 3 });
    const late = await watch(host, topic.id);
    expect(late.conversation().messages.at(-1)?.waiting?.retry).toEqual(retry);
    late.close();
    const answer = await finished(host, topic.id, answerId);
    expect(answer.status).toBe('success');
    expect(answer).not.toHaveProperty('waiting');
    expect(answer.blocks).toMatchObject([{ type: 'main_text', content: 'Done.' }]);
  });

  it.each([
    [503, 'overloaded'],
    [529, 'overloaded'],
    [500, 'failed'],
    [429, 'rate_limited'],
  ])('says why: HTTP %s is %s', async (status, reason) => {
    const { host, topic, answerId } = await ask(refused(status, { 'retry-after': '50' }));
    const { waiting } = await until(host, topic.id, answerId, (message) =>
      Boolean(message.waiting?.retry),
    );
    expect(waiting?.retry?.reason).toBe(reason);
    await host.messages.stop(owner, answerId);
    expect(await finished(host, topic.id, answerId)).toMatchObject({ status: 'stopped' });
  });

  it('is stopped at once, and another model answers instead', async () => {
    const { host, topic, answerId, vendor } = await ask(refused(429, { 'retry-after': '50' }));
    await until(host, topic.id, answerId, ({ waiting }) => Boolean(waiting?.retry));
    await host.messages.stop(owner, answerId);
    const other = await host.messages.regenerate(owner, answerId, { model: 'vendor-2/model-2' });
    const answer = await finished(host, topic.id, other.answerId);
    expect(answer).toMatchObject({ status: 'success', model: 'vendor-2/model-2' });
    expect(vendor.requests).toHaveLength(1);
  });
});
