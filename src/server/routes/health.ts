import type { Hono } from 'hono';
import type { Env } from '../api.ts';

/** Liveness and readiness: not part of the API, and open to everybody. */
export function healthRoutes(app: Hono<Env>, isDraining: () => boolean): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', (c) =>
    isDraining() ? c.json({ status: 'draining' }, 503) : c.json({ status: 'ready' }),
  );
}
