import { describe, expect, it } from 'vitest';
import { errorOf, openApi } from '../../../test/fixtures/http.ts';

describe('T81: what one person may have', () => {
  it('is so many assistants and no more, also by an import', async () => {
    const api = await openApi({ limits: { assistantsPerOwner: 3 } });
    const make = (name: string) => api.send('POST', '/api/assistants', { name });
    for (const name of ['one', 'two']) expect((await make(name)).status).toBe(201);
    const refused = await errorOf(await make('three'));
    expect(refused).toMatchObject({
      code: 'too_many_requests',
      message: 'You can have up to 3 assistants.',
    });

    const file = await (await api.send('GET', '/api/data/export')).text();
    const lines = file.trim().split('\n');
    const assistant = lines.find((line) => line.includes('"two"')) ?? '';
    const third = assistant.replace('"two"', '"three"').replace(/"id":"[^"]+"/, '"id":"third"');
    const taken = await api.send(
      'POST',
      '/api/data/import',
      [lines[0], third, lines.at(-1)].join('\n'),
    );
    expect(await taken.json()).toMatchObject({
      assistants: 0,
      leftOut: [{ name: 'three', code: 'too_many_requests' }],
    });
  });

  it('is so many providers and no more', async () => {
    const api = await openApi({ limits: { providersPerOwner: 1 } });
    const make = (name: string) => api.send('POST', '/api/providers', { name, apiKey: 'k' });
    expect((await make('openai')).status).toBe(201);
    expect(await errorOf(await make('deepseek'))).toMatchObject({ code: 'too_many_requests' });
  });
});
