import type { Host } from '#chat/host/host.ts';
import { aboutSchema } from '#shared/api/about-api.ts';
import { read } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import type { NotReady } from '../http/readiness.ts';

export function aboutRoutes(api: Api, host: Host, findProblems: () => Promise<NotReady[]>): void {
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
      if (visitor.role !== 'admin') return about;
      const problems = await findProblems();
      return { ...about, dataFolder, problems, troubles: host.troubles.list() };
    },
  );
}
