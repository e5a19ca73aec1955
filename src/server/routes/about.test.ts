import { expect, it } from 'vitest';
import { openApi } from '../../../test/fixtures/http.ts';
import { addPerson } from '../../../test/fixtures/people.ts';

it('says what the host is, and to admins alone where its data is', async () => {
  const api = await openApi();
  const about = await api.json<Record<string, unknown>>('GET', '/api/about');
  expect(about).toMatchObject({ licence: 'MIT', database: 'sqlite', dataFolder: api.place.home });
  expect(about['version']).toMatch(/^\d+\.\d+\.\d+/);
  expect(about['protocols']).toContain('2026-07-28');
  const ana = await addPerson(api, 'Ana');
  const told = await ana.json<Record<string, unknown>>('GET', '/api/about');
  expect(told).not.toHaveProperty('dataFolder');
  expect(JSON.stringify(told)).not.toContain(api.place.home);
});
