import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import { modelSchema, settingsSchema } from '#shared/api.ts';
import type { Api } from '../api.ts';

export function modelRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/models',
      summary: 'The models there are.',
      response: z.object({ models: z.array(modelSchema), defaultModel: z.string() }),
    },
    async ({ owner }) => ({
      models: await host.models.of(owner).list(),
      defaultModel: await host.settings.defaultModel(owner),
    }),
  );
  api.get(
    { path: '/api/settings', summary: 'The settings.', response: settingsSchema },
    ({ owner }) => host.settings.get(owner),
  );
  api.put(
    {
      path: '/api/settings',
      summary: 'Replace the settings.',
      body: settingsSchema,
      response: settingsSchema,
    },
    async ({ owner, body }) => {
      if (body.defaultModel) await host.models.of(owner).resolve(body.defaultModel);
      return host.settings.set(owner, body);
    },
  );
}
