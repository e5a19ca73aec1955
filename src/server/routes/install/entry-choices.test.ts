import { expect, it } from 'vitest';
import type { InstalledEntry, RegistryList } from '#shared/api/registry-api.ts';
import { listed, npm, serverRegistry } from '../../../../test/fakes/server-registry.ts';
import { openApi } from '../../../../test/fixtures/http.ts';

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
