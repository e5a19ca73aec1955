import type { Host } from '#chat/host/host.ts';
import { aboutSchema } from '#shared/api/about-api.ts';
import { read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function aboutRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/about',
      access: read,
      summary:
        'Get information about this host. Admins also see where its data is stored and recent problems.',
      response: aboutSchema,
    },
    async ({ visitor }) => {
      const { dataFolder, ...about } = host.about;
      const forAdmins = { dataFolder, troubles: host.troubles.list() };
      return { ...about, ...(visitor.role === 'admin' && forAdmins) };
    },
  );
}
