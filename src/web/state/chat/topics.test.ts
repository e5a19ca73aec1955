import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { dropTopic, keepTopic, loadMoreTopics, loadTopics, useTopics } from './topics.ts';

const topic = (n: number, updatedAt = n): Topic => ({ id: `t${n}`, updatedAt }) as Topic;
let host: Topic[];

vi.stubGlobal('fetch', (path: string) => {
  const query = new URL(path, 'http://host').searchParams;
  const sorted = host.toSorted((a, b) => b.updatedAt - a.updatedAt);
  const start = sorted.findIndex(({ id }) => id === query.get('before')) + 1;
  const topics = sorted.slice(start, start + Number(query.get('limit')));
  return Promise.resolve(Response.json({ topics }));
});

const ids = () => useTopics.getState().topics.map(({ id }) => id);
const upTo = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => `t${from - n}`);

beforeEach(() => {
  host = Array.from({ length: 250 }, (_, n) => topic(n + 1));
  useTopics.setState({ topics: [], loaded: false, hasMore: false, waiting: {} });
});

describe('a long list of topics', () => {
  it('is read page by page to its end', async () => {
    await loadTopics();
    expect(ids()).toEqual(upTo(250, 151));
    await Promise.all([loadMoreTopics(), loadMoreTopics()]);
    expect(ids()).toEqual(upTo(250, 51));
    await loadMoreTopics();
    await loadMoreTopics();
    expect(ids()).toEqual(upTo(250, 1));
    expect(useTopics.getState().hasMore).toBe(false);
  });

  it('has no gap where an unread topic has changed', async () => {
    await loadTopics();
    keepTopic({ ...topic(5), title: 'renamed' });
    expect(ids()).toEqual(upTo(250, 151));
    keepTopic(topic(7, 1000));
    expect(ids()[0]).toBe('t7');
    host = host.map((one) => (one.id === 't7' ? topic(7, 1000) : one));
    await loadMoreTopics();
    expect(ids()).toEqual(['t7', ...upTo(250, 51)]);
  });

  it('goes on below the last one that is left', async () => {
    await loadTopics();
    dropTopic('t151');
    host = host.filter(({ id }) => id !== 't151');
    await loadMoreTopics();
    expect(ids()).toEqual(upTo(250, 51).filter((id) => id !== 't151'));
  });

  it('is read again as far back as it was', async () => {
    await loadTopics();
    await loadMoreTopics();
    host = [topic(999), ...host];
    await loadTopics();
    expect(ids()).toEqual(['t999', ...upTo(250, 52)]);
  });
});
