import { describe, expect, it } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { says, ScriptedModel } from '../../../test/fakes/scripted-model.ts';
import { emptyPlace, errorOf, openApi, stored } from '../../../test/fixtures/http.ts';
import { finished, until } from '../../../test/host.ts';

const model = 'test/scripted';
const answers = () => new ScriptedModel(says('one'), says('two'), says('three'));

interface Sent {
  userMessageId: string;
  answerId: string;
}

async function start() {
  const scripted = answers();
  const api = await openApi({ models: { [model]: scripted } });
  const topic = await api.json<Topic>('POST', '/api/topics', { title: 'Topic', model });
  const path = `/api/topics/${topic.id}/messages`;
  const post = (key: string, body: unknown = { text: 'hi' }) =>
    api.send('POST', path, body, { 'idempotency-key': key });
  return { api, topic, path, post, scripted };
}

describe('a request with an Idempotency-Key', () => {
  it('is done once; a repeat gets the first answer', async () => {
    const { api, topic, post, scripted } = await start();
    const first = await post('a');
    const sent = (await first.json()) as Sent;
    await finished(api.host, topic.id, sent.answerId);
    const again = await post('a');
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(await again.json()).toEqual(sent);
    expect((await stored(api, topic.id)).messages).toHaveLength(2);
    expect(scripted.requests).toHaveLength(1);
    const other = (await (await post('b')).json()) as Sent;
    expect(other.answerId).not.toBe(sent.answerId);
    await finished(api.host, topic.id, other.answerId);
    expect((await stored(api, topic.id)).messages).toHaveLength(4);
  });

  it('is done once when twenty arrive together', async () => {
    const { api, topic, post, scripted } = await start();
    const responses = await Promise.all(Array.from({ length: 20 }, () => post('a')));
    const sent = (await (await post('a')).json()) as Sent;
    for (const response of responses) {
      const body: unknown = await response.json();
      if (response.status === 202) expect(body).toEqual(sent);
      else expect(body).toMatchObject({ error: { code: 'conflict' } });
    }
    expect(responses.filter(({ status }) => status === 202).length).toBeGreaterThan(0);
    await finished(api.host, topic.id, sent.answerId);
    expect((await stored(api, topic.id)).messages).toHaveLength(2);
    expect(scripted.requests).toHaveLength(1);
  });

  it('is remembered across a restart', async () => {
    const place = await emptyPlace();
    const before = await openApi({ place, models: { [model]: answers() } });
    const create = { title: 'Topic', model };
    const key = { 'idempotency-key': 'topic' };
    const first = await before.send('POST', '/api/topics', create, key);
    const topic = (await first.json()) as Topic;
    const path = `/api/topics/${topic.id}/messages`;
    const sent = (await (
      await before.send('POST', path, { text: 'hi' }, { 'idempotency-key': 'message' })
    ).json()) as Sent;
    await finished(before.host, topic.id, sent.answerId);
    await before.close();
    const after = await openApi({ place, models: { [model]: answers() } });
    const again = await after.send('POST', '/api/topics', create, key);
    expect([again.status, await again.json()]).toEqual([201, topic]);
    const message = await after.send(
      'POST',
      path,
      { text: 'hi' },
      { 'idempotency-key': 'message' },
    );
    expect([message.status, await message.json()]).toEqual([202, sent]);
    expect((await after.json<{ topics: Topic[] }>('GET', '/api/topics')).topics).toHaveLength(1);
    expect((await stored(after, topic.id)).messages).toHaveLength(2);
  });

  it('is refused with another body or for another path', async () => {
    const { api, topic, post, path } = await start();
    const { answerId } = (await (await post('a')).json()) as Sent;
    await finished(api.host, topic.id, answerId);
    const mismatch = { status: 409, code: 'idempotency_mismatch' };
    expect(await errorOf(await post('a', { text: 'other' }))).toMatchObject(mismatch);
    const elsewhere = await api.send('POST', '/api/topics', {}, { 'idempotency-key': 'a' });
    expect(await errorOf(elsewhere)).toMatchObject(mismatch);
    const spaced = await api.send('POST', path, '{ "text": "hi" }', { 'idempotency-key': 'a' });
    expect(await errorOf(spaced)).toMatchObject(mismatch);
    expect((await stored(api, topic.id)).messages).toHaveLength(2);
  });

  it('that failed can be sent again with its key', async () => {
    const { api, topic, post } = await start();
    expect((await post('a', { text: ' ' })).status).toBe(400);
    expect((await post('a', { text: 'hi', model: 'nobody/x' })).status).toBe(404);
    expect((await post('a', '{')).status).toBe(400);
    const { answerId } = (await (await post('a')).json()) as Sent;
    await finished(api.host, topic.id, answerId);
    expect((await stored(api, topic.id)).messages).toHaveLength(2);
  });

  it('runs a tool once, and tells a repeat of the same waiting call', async () => {
    const api = await openApi();
    const path = '/api/servers/filesystem/tools/write_file/call';
    const body = { arguments: { path: 'a.txt', content: 'a' } };
    const key = { 'idempotency-key': 'call' };
    const first = await api.send('POST', path, body, key);
    const again = await api.send('POST', path, body, key);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(await again.json()).toEqual(await first.json());
  });

  it('stops and regenerates once', async () => {
    const { api, topic, post } = await start();
    const { answerId } = (await (await post('a')).json()) as Sent;
    await finished(api.host, topic.id, answerId);
    const path = `/api/answers/${answerId}/regenerate`;
    const [one, two] = [
      await api.send('POST', path, {}, { 'idempotency-key': 'r' }),
      await api.send('POST', path, {}, { 'idempotency-key': 'r' }),
    ];
    const again = (await one.json()) as { answerId: string };
    expect(await two.json()).toEqual(again);
    await until(api.host, topic.id, again.answerId, ({ status }) => status === 'success');
    expect((await stored(api, topic.id)).messages).toHaveLength(3);
  });
});
