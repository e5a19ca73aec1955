import type { Host } from '#chat/host/host.ts';
import { settingsFor } from '#chat/servers/key-rights.ts';
import { modelsViewSchema, settingsSchema, settingsViewSchema } from '#shared/api/api.ts';
import { json, manage, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function modelRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/models',
      access: read,
      summary: 'List the available models and the defaults.',
      response: modelsViewSchema,
    },
    async ({ owner }) => {
      const {
        defaultModel,
        favouriteModels = [],
        reasoningEffort,
      } = await host.settings.own(owner);
      return {
        models: await host.models.of(owner).list(),
        defaultModel: await host.settings.defaultModel(owner),
        hasOwnDefault: defaultModel !== undefined,
        favouriteModels,
        reasoningEffort,
      };
    },
  );
  api.get(
    { path: '/api/settings', access: read, summary: 'Get the settings.', response: settingsSchema },
    async ({ owner, visitor }) => settingsFor(visitor, await host.settings.get(owner)),
  );
  api.put(
    {
      path: '/api/settings',
      access: { ...manage, ...json },
      summary: 'Replace the settings.',
      body: settingsSchema,
      response: settingsViewSchema,
    },
    async ({ owner, body }) => {
      const { defaultModel, titleModel, translationModel } = body;
      const named = [defaultModel, titleModel, translationModel].filter(Boolean);
      for (const name of named) await host.models.of(owner).resolve(String(name));
      return host.settings.set(owner, body);
    },
  );
}
