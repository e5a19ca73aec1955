import { describe, expect, it } from 'vitest';
import type { ModelInfo } from '#shared/vocabulary/model.ts';
import { errorOf, openApi } from '../../../test/fixtures/http.ts';
import { addPerson } from '../../../test/fixtures/people.ts';

interface Models {
  models: ModelInfo[];
  defaultModel: string;
  reasoningEffort?: string;
  hasOwnDefault: boolean;
  favouriteModels: string[];
}

describe('the settings of models', () => {
  it('are each one’s own: a model for titles, one for translations, and the effort', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const chosen = {
      defaultModel: 'demo/scripted',
      titleModel: 'demo/scripted',
      translationModel: 'demo/scripted',
      reasoningEffort: 'high',
    };
    const saved = await ana.json('PUT', '/api/settings', { ...chosen, fetchAllow: [] });
    expect(saved).toEqual({ ...chosen, fetchAllow: [] });
    expect(await api.json('GET', '/api/settings')).toEqual({ fetchAllow: [] });
    expect((await ana.json<Models>('GET', '/api/models')).reasoningEffort).toBe('high');
    expect(await api.json<Models>('GET', '/api/models')).not.toHaveProperty('reasoningEffort');
    expect(await ana.json('PUT', '/api/settings', { fetchAllow: [] })).toEqual({ fetchAllow: [] });
  });

  it('keep the favourites of each person, also of models that are gone', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const favouriteModels = ['demo/scripted', 'gone/model'];
    const saved = await ana.json('PUT', '/api/settings', { favouriteModels, fetchAllow: [] });
    expect(saved).toEqual({ favouriteModels, fetchAllow: [] });
    expect(await ana.json<Models>('GET', '/api/models')).toMatchObject({
      favouriteModels,
      hasOwnDefault: false,
    });
    expect(await api.json<Models>('GET', '/api/models')).toMatchObject({ favouriteModels: [] });
    const full = Array.from({ length: 501 }, (_, at) => `m/${at}`);
    const refused = await ana.send('PUT', '/api/settings', {
      favouriteModels: full,
      fetchAllow: [],
    });
    expect(await errorOf(refused)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('say whether a person chose the default model, or only the host did', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const defaults = { defaultModel: 'demo/scripted', fetchAllow: [] };
    await api.json('PUT', '/api/settings', defaults);
    const own = async (who: Pick<typeof api, 'json'>) =>
      (await who.json<Models>('GET', '/api/models')).hasOwnDefault;
    expect([await own(api), await own(ana)]).toEqual([true, false]);
    await ana.json('PUT', '/api/settings', defaults);
    expect(await own(ana)).toBe(true);
  });

  it.each([
    [{ titleModel: 'nobody/none' }, 404, 'model_not_found'],
    [{ translationModel: 'nobody/none' }, 404, 'model_not_found'],
    [{ reasoningEffort: 'enormous' }, 400, 'invalid_request'],
    [{ titleModel: 7 }, 400, 'invalid_request'],
  ])('refuse what is not there: %j', async (body, status, code) => {
    const api = await openApi();
    const response = await api.send('PUT', '/api/settings', { fetchAllow: [], ...body });
    expect(await errorOf(response)).toMatchObject({ status, code });
    expect(await api.json('GET', '/api/settings')).toEqual({ fetchAllow: [] });
  });
});
