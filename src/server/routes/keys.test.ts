import { describe, expect, it } from 'vitest';
import type { KeyView } from '#shared/api/people-api.ts';
import { dump, errorOf, openApi, type TestApi } from '../../../test/fixtures/http.ts';
import { addPerson, ended, statusWith } from '../../../test/fixtures/people.ts';

const day = 24 * 3_600_000;

describe('an API key', () => {
  const make = async (api: TestApi, fields: object) =>
    api.json<KeyView & { key: string }>('POST', '/api/keys', { name: 'script', ...fields });

  it('is told once, stored as a hash, and works as a bearer token and as x-api-key', async () => {
    const api = await openApi();
    const { key, id } = await make(api, { scopes: ['admin'] });
    expect(await dump(api)).not.toContain(key);
    expect(JSON.stringify(await api.json('GET', '/api/keys'))).not.toContain(key);
    expect(await statusWith(api, { authorization: `Bearer ${key}` })).toBe(200);
    expect(await statusWith(api, { 'x-api-key': key })).toBe(200);
    expect(await statusWith(api, { cookie: `cerise_session=${key}` })).toBe(401);
    const { keys } = await api.json<{ keys: KeyView[] }>('GET', '/api/keys');
    expect(keys[0]?.lastUsedAt).toBeGreaterThan(0);
    const stream = await api.raw('GET', '/api/events', { headers: { 'x-api-key': key } });
    expect((await api.send('DELETE', `/api/keys/${id}`)).status).toBe(204);
    await ended(stream);
    expect(await statusWith(api, { 'x-api-key': key })).toBe(401);
  });

  it('T87: has a name that can be read, since others are told of it', async () => {
    const api = await openApi();
    for (const name of ['ha\u202Erm', 'a\u200Bb', 'a\u0007b', 'a\u2028b'])
      expect((await api.send('POST', '/api/keys', { name })).status).toBe(400);
    expect((await api.send('POST', '/api/keys', { name: '备份 – Ana’s 💻' })).status).toBeLessThan(
      300,
    );
  });

  it('runs out', async () => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const { key } = await make(api, { expiresAt: time + day });
    expect(await statusWith(api, { 'x-api-key': key })).toBe(200);
    time += day;
    expect(await statusWith(api, { 'x-api-key': key })).toBe(401);
    const past = await api.send('POST', '/api/keys', { name: 'x', expiresAt: time - 1 });
    expect(past.status).toBe(400);
  });

  it('T86: that expires makes none that lasts longer', async () => {
    const api = await openApi();
    const expiresAt = Date.now() + day;
    const { key } = await make(api, { scopes: ['admin'], expiresAt });
    const headers = { authorization: `Bearer ${key}` };
    const more = async (fields: object) =>
      (await api.send('POST', '/api/keys', { name: 'x', ...fields }, headers)).status;
    expect(await more({})).toBe(403);
    expect(await more({ expiresAt: expiresAt + 1 })).toBe(403);
    expect(await more({ expiresAt })).toBe(201);
  });

  it('may do what its scope says, and never more than its owner', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { id: topic } = await ana.json<{ id: string }>('POST', '/api/topics', {});
    const table: [string, string, unknown, Record<string, number>][] = [
      ['GET', `/api/topics/${topic}`, undefined, { read: 200, chat: 200, admin: 200 }],
      ['POST', '/api/topics', {}, { read: 403, chat: 201, admin: 201 }],
      ['POST', '/api/assistants', { name: 'A' }, { read: 403, chat: 403, admin: 201 }],
      ['POST', '/api/keys', { name: 'More' }, { read: 403, chat: 403, admin: 201 }],
      ['GET', '/api/users', undefined, { read: 403, chat: 403, admin: 403 }],
    ];
    for (const scope of ['read', 'chat', 'admin']) {
      const { key } = await ana.json<{ key: string }>('POST', '/api/keys', {
        name: scope,
        scopes: [scope],
      });
      for (const [method, path, body, expected] of table) {
        const headers = { authorization: `Bearer ${key}` };
        const { status } = await api.send(method, path, body, headers);
        expect(status, `${scope} ${method} ${path}`).toBe(expected[scope]);
      }
    }
  });

  it('belongs to its owner alone', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { id, key } = await make(api, {});
    const refused = await errorOf(await ana.send('DELETE', `/api/keys/${id}`));
    const unknown = await errorOf(await ana.send('DELETE', '/api/keys/none'));
    expect(refused).toEqual(unknown);
    expect(await statusWith(api, { 'x-api-key': key })).toBe(200);
  });
});
