import type { Host } from '#chat/host/host.ts';
import { everyone } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';
import type { NotReady } from '../../http/readiness.ts';

/**
 * Liveness and readiness: not part of the API, and open to everybody. The first is about this process
 * alone, so that nobody restarts it because of a database.
 */
export function healthRoutes(
  api: Api,
  host: Pick<Host, 'troubles'>,
  findProblems: () => Promise<NotReady[]>,
  isDraining: () => boolean,
): void {
  api.page({ path: '/healthz', access: everyone }, async (c) => c.json({ status: 'ok' }));
  api.page({ path: '/readyz', access: everyone }, async (c) => {
    if (isDraining()) return c.json({ status: 'draining' }, 503);
    const problems = await findProblems();
    if (problems.length > 0) return c.json({ status: 'not_ready', problems }, 503);
    // Other requests can still be served: taking the host out of service would not fix it.
    const isDamaged = host.troubles.wasSeen('data_unreadable');
    return c.json({ status: 'ready', ...(isDamaged && { warnings: [damaged] }) });
  });
}

const damaged = { part: 'data', message: "Some stored data can't be read. The log has details." };
