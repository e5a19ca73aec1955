import { describe, expect, it } from 'vitest';
import type { UserView } from '#shared/api/people-api.ts';
import { dump, errorOf, openApi } from '../../../test/fixtures/http.ts';
import { addPerson, browserOf, ended, signIn, statusWith } from '../../../test/fixtures/people.ts';

describe('people', () => {
  it('are for admins to see and change', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const before = await dump(api);
    for (const [method, path, body] of [
      ['GET', '/api/users'],
      ['POST', '/api/users', { name: 'Eve', role: 'admin' }],
      ['PATCH', `/api/users/${ana.id}`, { role: 'admin' }],
      ['PATCH', '/api/users/nobody', { role: 'admin' }],
      ['DELETE', '/api/users/local'],
    ] as const)
      expect(await errorOf(await ana.send(method, path, body))).toMatchObject({
        status: 403,
        code: 'admin_only',
      });
    expect(await dump(api)).toBe(before);
    await api.send('PATCH', `/api/users/${ana.id}`, { role: 'admin' });
    const admin = browserOf(api, { ...ana, cookie: await signIn(api, 'Ana') });
    const { users } = await admin.json<{ users: UserView[] }>('GET', '/api/users');
    expect(users.map(({ name, role }) => [name, role])).toEqual([
      ['Local', 'admin'],
      ['Ana', 'admin'],
    ]);
    expect(JSON.stringify(users)).not.toContain('argon2');
  });

  it('get a password that is told once, and an assistant of their own', async () => {
    const api = await openApi();
    const made = await api.json<{ id: string; password: string }>('POST', '/api/users', {
      name: 'Ana',
    });
    expect(made.password.length).toBeGreaterThan(15);
    expect(await dump(api)).not.toContain(made.password);
    const cookie = await signIn(api, 'Ana', made.password);
    const ana = browserOf(api, { id: made.id, name: 'Ana', cookie });
    const { assistants } = await ana.json<{ assistants: { id: string }[] }>(
      'GET',
      '/api/assistants',
    );
    expect(assistants.map(({ id }) => id)).toEqual(['default']);
  });

  it.each([
    ['disabled', 'PATCH', { disabled: true }],
    ['given another role', 'PATCH', { role: 'admin' }],
    ['given a new password', 'PATCH', { password: 'another long one' }],
    ['removed', 'DELETE', undefined],
  ] as const)('who are %s are out at once, with their streams', async (_, method, body) => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const topic = await ana.json<{ id: string }>('POST', '/api/topics', {});
    const streams = [
      await ana.send('GET', '/api/events'),
      await ana.send('GET', `/api/topics/${topic.id}/events`),
    ];
    expect((await api.send(method, `/api/users/${ana.id}`, body)).ok).toBe(true);
    await Promise.all(streams.map(ended));
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(401);
  });

  it('leave nothing behind when they are removed, but what was noted of them', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    await ana.send('POST', '/api/topics', { title: 'Mine' });
    await ana.send('PUT', '/api/settings', { defaultModel: 'demo/scripted' });
    await ana.send('POST', '/api/files', { some: 'bytes' });
    await ana.send('POST', '/api/keys', { name: 'script' });
    await ana.send('POST', '/api/assistants', { name: 'Helper' });
    await ana.send('POST', '/api/servers', {
      type: 'streamableHttp',
      name: 'web',
      baseUrl: 'https://mcp.example/mcp',
    });
    await ana.send('POST', '/api/servers/memory/tools/create_entities/call', {
      arguments: { entities: [{ name: 'x', entityType: 'y', observations: [] }] },
    });
    expect(await dump(api)).toContain(ana.id);
    expect((await api.send('DELETE', `/api/users/${ana.id}`)).status).toBe(204);
    const left = (JSON.parse(await dump(api)) as unknown[]).filter((table, place, all) => {
      return all[place - 1] !== 'audit' && JSON.stringify(table).includes(ana.id);
    });
    expect(left).toEqual([]);
  });

  it('cannot lock the console out', async () => {
    const api = await openApi();
    for (const body of [{ disabled: true }, { role: 'user' }])
      expect((await api.send('PATCH', '/api/users/local', body)).status).toBe(409);
    expect((await api.send('DELETE', '/api/users/local')).status).toBe(409);
    expect((await api.send('PATCH', '/api/users/local', { name: 'Root' })).status).toBe(200);
  });

  it('have names one can see', async () => {
    const api = await openApi();
    for (const name of ['', ' ', 'a\u202eb', 'a\0', 'x'.repeat(101)])
      expect((await api.send('POST', '/api/users', { name })).status, name).toBe(400);
    expect((await api.send('POST', '/api/users', { name: 'local' })).status).toBe(409);
  });
});
