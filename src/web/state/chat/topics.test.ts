import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { setFilter, useFiltered } from './filtered-topics.ts';
import { dropTopic, keepTopic, loadMoreTopics, loadTopics, useTopics } from './topics.ts';

const topic = (n: number, updatedAt = n): Topic => ({ id: `t${n}`, updatedAt }) as Topic;
let host: Topic[];

vi.stubGlobal('fetch', (path: string) => {
  const query = new URL(path, 'http://host').searchParams;
  const isWanted = (one: Topic) =>
    query.has('archived') === (one.archived ?? false) &&
    (!query.has('pinned') || one.pinnedAt !== undefined) &&
    (!query.has('model') || one.model === query.get('model'));
  const sorted = host.filter(isWanted).toSorted((a, b) => b.updatedAt - a.updatedAt);
  const start = sorted.findIndex(({ id }) => id === query.get('before')) + 1;
  const topics = sorted.slice(start, start + Number(query.get('limit')));
  return Promise.resolve(Response.json({ topics }));
});

const ids = () => useTopics.getState().topics.map(({ id }) => id);
const upTo = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => `t${from - n}`);

beforeEach(() => {
  host = Array.from({ length: 250 }, (_, n) => topic(n + 1));
  useTopics.setState({ topics: [], pinned: [], loaded: false, hasMore: false, waiting: {} });
  setFilter({});
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

describe('pinned and archived topics', () => {
  const pinned = () => useTopics.getState().pinned.map(({ id }) => id);

  it('are all there, however old, in the order of pinning', async () => {
    host = [...host, { ...topic(500, -1), pinnedAt: 5 }, { ...topic(501, -2), pinnedAt: 4 }];
    await loadTopics();
    expect(pinned()).toEqual(['t500', 't501']);
    keepTopic({ ...topic(3), pinnedAt: 9 });
    keepTopic({ ...topic(501, 9999), pinnedAt: 4 });
    expect(pinned()).toEqual(['t3', 't500', 't501']);
    keepTopic(topic(3));
    dropTopic('t500');
    expect(pinned()).toEqual(['t501']);
  });

  it('leave the list and the pinned ones when they are archived, and come back', async () => {
    await loadTopics();
    keepTopic({ ...topic(250), pinnedAt: 1 });
    keepTopic({ ...topic(250), archived: true });
    expect([ids()[0], pinned()]).toEqual(['t249', []]);
    keepTopic(topic(250));
    expect(ids()[0]).toBe('t250');
  });
});

describe('a filter', () => {
  const filtered = () => useFiltered.getState().topics.map(({ id }) => id);

  it('shows archived ones, and those that are archived or not any more meanwhile', async () => {
    host = [{ ...topic(900), archived: true }, ...host];
    setFilter({ archived: '1' });
    await expect.poll(filtered).toEqual(['t900']);
    keepTopic({ ...topic(901), archived: true });
    expect(filtered()).toEqual(['t901', 't900']);
    keepTopic(topic(900));
    expect(filtered()).toEqual(['t901']);
  });

  it('asks the host again when something changes that only it can judge', async () => {
    setFilter({ model: 'a/b' });
    await expect.poll(() => useFiltered.getState().loaded).toBe(true);
    expect(filtered()).toEqual([]);
    const changed = { ...topic(7), model: 'a/b' };
    host = host.map((one) => (one.id === 't7' ? changed : one));
    keepTopic(changed);
    await expect.poll(filtered).toEqual(['t7']);
    setFilter({});
    expect(filtered()).toEqual([]);
  });
});
