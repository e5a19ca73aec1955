import type { Host } from '#chat/host.ts';
import { aboutSchema } from '#shared/about-api.ts';
import { read } from '../access.ts';
import type { Api } from '../api.ts';

export function aboutRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/about',
      access: read,
      summary: 'What this host is; where its data is, for admins.',
      response: aboutSchema,
    },
    async ({ visitor }) => {
      const { dataFolder, ...about } = host.about;
      return { ...about, ...(visitor.role === 'admin' && { dataFolder }) };
    },
  );
}
