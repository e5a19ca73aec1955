import { everyone } from '../access.ts';
import type { Api } from '../api.ts';
import { createReadiness } from '../readiness.ts';

/**
 * Liveness and readiness: not part of the API, and open to everybody. The first is about this process
 * alone, so that nobody restarts it because of a database.
 */
export function healthRoutes(
  api: Api,
  host: { ping(): Promise<void> },
  isDraining: () => boolean,
): void {
  const problemsNow = createReadiness(() => host.ping());
  api.page({ path: '/healthz', access: everyone }, async (c) => c.json({ status: 'ok' }));
  api.page({ path: '/readyz', access: everyone }, async (c) => {
    if (isDraining()) return c.json({ status: 'draining' }, 503);
    const problems = await problemsNow();
    if (problems.length > 0) return c.json({ status: 'not_ready', problems }, 503);
    return c.json({ status: 'ready' });
  });
}
