import type { Hono } from 'hono';
import type { Env } from '../api.ts';
import { createReadiness } from '../readiness.ts';

/**
 * Liveness and readiness: not part of the API, and open to everybody. The first is about this process
 * alone, so that nobody restarts it because of a database.
 */
export function healthRoutes(
  app: Hono<Env>,
  host: { ping(): Promise<void> },
  isDraining: () => boolean,
): void {
  const problemsNow = createReadiness(() => host.ping());
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    if (isDraining()) return c.json({ status: 'draining' }, 503);
    const problems = await problemsNow();
    if (problems.length > 0) return c.json({ status: 'not_ready', problems }, 503);
    return c.json({ status: 'ready' });
  });
}
