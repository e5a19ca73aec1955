// Starts processes.
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { InstalledEntry, RegistryList, RegistrySearch } from '#shared/api/registry-api.ts';
import { listed, npm, serverRegistry } from '../../../../test/fakes/server-registry.ts';
import { errorOf, openApi, type TestApi } from '../../../../test/fixtures/http.ts';
import { addPerson } from '../../../../test/fixtures/people.ts';

const search = (api: Pick<TestApi, 'json'>, words: string) =>
  api.json<RegistrySearch>('GET', `/api/registry/servers?search=${encodeURIComponent(words)}`);

it('shows and installs with the defaults of an entry, and takes no value but its choices', async () => {
  const packageArguments = [
    {
      type: 'named',
      name: '--mode',
      description: 'Mode',
      default: 'safe',
      choices: ['fast', 'safe'],
    },
    {
      type: 'named',
      name: '--level',
      description: 'Level',
      isRequired: true,
      choices: ['1', '2'],
    },
    { type: 'named', name: '--tag', description: 'Tag' },
  ];
  const { url } = await serverRegistry([
    listed('io.test/choices', { packages: [npm('x', { packageArguments })] }),
  ]);
  const api = await openApi();
  await api.json('PUT', '/api/registry', {
    registries: [{ id: 'own', name: 'Own', url }],
  });
  await api.json('POST', '/api/registry/check', {});
  const body = { registry: 'own', name: 'io.test/choices', version: '1.0.0' };
  const send = async (more: object) => {
    const all = { ...body, ...more };
    const { entries } = await api.json<InstalledEntry>('POST', '/api/registry/install', all);
    return entries[0];
  };
  const level = (value: string) => ({ answers: { 'input:package0.--level': value } });
  expect((await send({ dryRun: true }))?.config).toMatchObject({
    args: ['-y', 'x@1.0.0', '--mode=safe', '--level=${input:package0.--level}'],
  });
  const wrong = await send(level('9'));
  expect(wrong?.server).toBeUndefined();
  expect(wrong?.error?.message).toBe('--level: Level must be one of: 1, 2.');
  expect((await send(level('2')))?.server?.config).toMatchObject({
    args: ['-y', 'x@1.0.0', '--mode=safe', '--level=2'],
  });
  const without = { 'input:package0.--mode': '', ...level('1').answers };
  expect((await send({ answers: without }))?.server?.config).toMatchObject({
    args: ['-y', 'x@1.0.0', '--level=1'],
  });
});

it('says that a registry has no end', async () => {
  let page = 0;
  const endless = await serverRegistry([], () =>
    JSON.stringify({ servers: [], metadata: { nextCursor: String((page += 1)) } }),
  );
  const api = await openApi();
  await api.json('PUT', '/api/registry', {
    registries: [{ id: 'endless', name: 'Endless', url: endless.url }],
  });
  const list = await api.json<RegistryList>('POST', '/api/registry/check', {});
  expect(list.registries[1]?.error?.messageSaid?.id).toBe('registry-repeats');
});

it('has pinned servers without any registry, which become drafts', async () => {
  const api = await openApi();
  const [first] = (await search(api, 'filesystem')).entries;
  expect(first).toMatchObject({ registry: 'picked', title: 'Filesystem', kinds: ['npm'] });
  const { registry, name, version } = first ?? {};
  const body = { registry, name, version };
  const seen = await api.json<InstalledEntry>('POST', '/api/registry/install', {
    ...body,
    dryRun: true,
  });
  const [question] = seen.questions;
  expect(seen.entries[0]?.server).toBeUndefined();
  const answers = { [question?.id ?? '']: '/srv/files' };
  const done = await api.json<InstalledEntry>('POST', '/api/registry/install', {
    ...body,
    answers,
  });
  expect(done.entries[0]?.server).toMatchObject({
    state: 'draft',
    config: { command: 'npx', args: ['-y', `${name}@${version}`, '/srv/files'] },
  });
  const other = await api.send('POST', '/api/registry/install', { ...body, version: '0' });
  expect((await errorOf(other)).status).toBe(409);
});

it('proposes the least access: the folder that was filled in, and no network where none is needed', async () => {
  const api = await openApi();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cerise-')));
  const [first] = (await search(api, 'filesystem')).entries;
  const { registry, name, version } = first ?? {};
  const body = { registry, name, version, answers: { 'input:package0.path': folder } };
  const access = { files: { folders: [{ path: folder, write: true }] }, network: false };
  const send = (more: object) =>
    api.json<InstalledEntry>('POST', '/api/registry/install', { ...body, ...more });
  expect((await send({ dryRun: true })).entries[0]?.config).toMatchObject({ access });
  expect((await send({})).entries[0]?.server).toMatchObject({
    state: 'draft',
    config: { access },
  });
  // It is there now, with that access.
  expect((await send({})).entries[0]).toMatchObject({ exists: true });
  // Which folders there are is nothing for others to find out.
  const ana = await addPerson(api, 'Ana');
  const seen = await ana.json<InstalledEntry>('POST', '/api/registry/install', {
    ...body,
    dryRun: true,
  });
  expect(seen.entries[0]?.config).toMatchObject({ access: { files: 'own', network: false } });
  const [playwright] = (await search(api, 'playwright')).entries;
  const { version: pinned, name: named } = playwright ?? {};
  const wide = { registry, name: named, version: pinned, dryRun: true };
  const { entries } = await api.json<InstalledEntry>('POST', '/api/registry/install', wide);
  expect(entries[0]?.config).not.toHaveProperty('access');
});
