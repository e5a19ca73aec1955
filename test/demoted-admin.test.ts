import { expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { Provider } from '#shared/vocabulary/model.ts';
import { startFakeOpenAi } from './fakes/fake-openai.ts';
import { errorOf, openApi } from './fixtures/http.ts';
import { addPerson, browserOf, signIn } from './fixtures/people.ts';

it('T77: what an admin set has no effect once they are none', async () => {
  const fake = await startFakeOpenAi();
  onTestFinished(() => fake.close());
  const api = await openApi();
  const root = await addPerson(api, 'Root', 'admin');
  const added = async (path: string, body: object) =>
    (await root.json<{ id: string }>('POST', path, body)).id;
  const provider = await added('/api/providers', { name: 'lab', baseUrl: fake.baseUrl });
  const auth = { grant: 'workload', clientId: 'us', assertionFile: '/etc/hostname' };
  const web = { type: 'streamableHttp', baseUrl: 'https://mcp.example/mcp' };
  const reader = await added('/api/servers', { ...web, name: 'reader', auth });
  const folders = await added('/api/servers', { ...web, name: 'folders', roots: ['/etc'] });
  const safeToRepeat = [{ serverId: folders, toolName: 't' }];
  await root.json('PUT', '/api/policy', { rules: [], trustedServers: [folders], safeToRepeat });
  expect(await api.host.policy.isSafeToRepeat(root.id, folders, 't')).toBe(true);

  await api.send('PATCH', `/api/users/${root.id}`, { role: 'user' });
  const ex = browserOf(api, { ...root, cookie: await signIn(api, 'Root') });
  const { providers } = await ex.json<{ providers: Provider[] }>('GET', '/api/providers');
  expect(providers).toContainEqual(expect.objectContaining({ id: provider, adminOnly: true }));
  const tested = await ex.send('POST', `/api/providers/${provider}/test`, {});
  expect(await errorOf(tested)).toMatchObject({
    code: 'admin_only',
    details: { field: 'baseUrl' },
  });
  await ex.json('GET', '/api/models');
  expect(fake.connections).toBe(0);

  expect(await ex.json('GET', '/api/policy')).toMatchObject({
    trustedServers: [],
    safeToRepeat: [],
  });
  expect(await api.host.policy.isSafeToRepeat(root.id, folders, 't')).toBe(false);

  for (const id of [reader, folders]) {
    const { state, launchHash } = await ex.json<ServerView>('GET', `/api/servers/${id}`);
    expect(state).toBe('draft');
    const approved = await ex.send('POST', `/api/servers/${id}/approve`, { launchHash });
    expect(await errorOf(approved)).toMatchObject({ status: 403, code: 'admin_only' });
    const connected = await ex.send('POST', `/api/servers/${id}/connect`, {});
    expect(await errorOf(connected)).toMatchObject({ code: 'admin_only' });
  }
  const without = await ex.json<ServerView>('PATCH', `/api/servers/${folders}`, { roots: null });
  expect(without.state).toBe('idle');
});
