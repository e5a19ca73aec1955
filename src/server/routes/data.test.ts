import { describe, expect, it } from 'vitest';
import type { ImportResult, StorageView } from '#shared/api/data-api.ts';
import { errorOf, openApi, type TestApi, token } from '../../../test/fixtures/http.ts';
import { ask } from '../../../test/host.ts';

async function used(): Promise<{ api: TestApi; topicId: string }> {
  const api = await openApi();
  const { id: topicId } = await api.json<{ id: string }>('POST', '/api/topics', { title: 'A\nB' });
  await ask(api.host, topicId, 'a ```fence``` and more');
  return { api, topicId };
}

const send = (api: TestApi, body: NonNullable<RequestInit['body']> | null, query = '') =>
  api.raw('POST', `/api/data/import${query}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body,
  });

describe('the data of a person', () => {
  it('goes out as a file to save and comes in elsewhere', async () => {
    const { api, topicId } = await used();
    const response = await api.send('GET', '/api/data/export');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="cerise-/);
    const file = await response.text();
    const other = await openApi();
    const tried = await send(other, file, '?dryRun=1');
    expect((await tried.json()) as ImportResult).toMatchObject({ topics: 1, messages: 2 });
    expect((await other.send('GET', `/api/topics/${topicId}`)).status).toBe(404);
    expect((await send(other, file)).status).toBe(200);
    expect((await other.send('GET', `/api/topics/${topicId}`)).status).toBe(200);
    const { topics, messages } = await other.json<StorageView>('GET', '/api/data');
    expect([topics, messages]).toEqual([1, 2]);
  });

  it('takes a file that is larger than other requests may be', async () => {
    const api = await openApi();
    const file = `{"kind":"cerise-export","version":1,"exportedAt":1,"pad":"${'x'.repeat(3_000_000)}"}\n{"kind":"end"}\n`;
    expect((await send(api, file)).status).toBe(200);
  });

  it('refuses what is no export, and strangers', async () => {
    const api = await openApi();
    for (const body of [null, '', 'hello', '{"kind":"end"}', '\u0000'])
      expect((await errorOf(await send(api, body))).code).toBe('invalid_request');
    expect((await send(api, '', '?existing=replace')).status).toBe(400);
    expect((await api.raw('POST', '/api/data/import', { body: '{}' })).status).toBe(401);
    expect((await api.raw('GET', '/api/data/export')).status).toBe(401);
  });

  it('deletes all topics', async () => {
    const { api } = await used();
    expect(await api.json('DELETE', '/api/data/topics')).toEqual({ deleted: 1 });
    expect(await api.json('GET', '/api/topics')).toEqual({ topics: [] });
  });
});

describe('one topic as a file', () => {
  it('is Markdown to read', async () => {
    const { api, topicId } = await used();
    const response = await api.send('GET', `/api/topics/${topicId}/export`);
    expect(response.headers.get('content-disposition')).toContain(`topic-${topicId}.md`);
    const text = await response.text();
    expect(text).toMatch(
      /^# A B\n\n## User\n\n\*.* UTC\*\n\na ```fence``` and more\n\n## Assistant/,
    );
  });

  it('is a file to import', async () => {
    const { api, topicId } = await used();
    const response = await api.send('GET', `/api/topics/${topicId}/export?format=json`);
    const file = await response.text();
    const copied = await send(api, file, '?existing=copy');
    expect((await copied.json()) as ImportResult).toMatchObject({ topics: 1, messages: 2 });
  });

  it('is not there for whoever does not have it', async () => {
    const { api } = await used();
    for (const format of ['markdown', 'json']) {
      const response = await api.send('GET', `/api/topics/nobody/export?format=${format}`);
      expect(response.status).toBe(404);
    }
  });
});
