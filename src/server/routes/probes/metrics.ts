import type { Host } from '#chat/host/host.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { metricsKey } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';

/** `/metrics` for Prometheus, by a key of its own; nothing is there where none is set. */
export function metricsRoutes(
  api: Api,
  { metrics }: Pick<Host, 'metrics'>,
  connections: () => number | undefined,
): void {
  api.page({ path: '/metrics', access: metricsKey }, async (c) => {
    if (!metrics)
      throw new CeriseError('not_found', say('metrics-off')`Metrics are disabled on this host.`, {
        hint: say('metrics-off-hint')`Set CERISE_METRICS_KEY and restart Cerise.`,
      });
    const bearer = c.req.header('authorization')?.match(/^Bearer (.+)$/i)?.[1];
    if (!(await metrics.opens(bearer, c.var.reach.address)))
      throw new CeriseError(
        'unauthenticated',
        say('metrics-key-wrong')`Metrics require the key in CERISE_METRICS_KEY as a bearer token.`,
      );
    const type = 'text/plain; version=0.0.4; charset=utf-8';
    return new Response(metrics.write(connections()), { headers: { 'content-type': type } });
  });
}
