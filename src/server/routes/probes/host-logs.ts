import type { Host } from '#chat/host/host.ts';
import {
  hostLogEventsQuerySchema,
  hostLogQuerySchema,
  hostLogSchema,
  type HostLogEvent,
  logLevelViewSchema,
  setLogLevelSchema,
} from '#shared/telemetry/log-api.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import { admins, json, secret } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';
import { eventStream } from '../../http/event-stream.ts';

/** The log of the instance that answers. Its lines tell of everybody, so they are for admins. */
export function hostLogRoutes(api: Api, host: Host): void {
  const access = { ...admins, ...secret };
  api.get(
    {
      path: '/api/host/logs',
      access,
      summary: 'Get the last lines of the log of the instance that answers, oldest first.',
      query: hostLogQuerySchema,
      response: hostLogSchema,
    },
    async ({ query: { limit, ...wanted } }) => {
      const view = host.log.view(wanted);
      return { ...view, lines: view.lines.slice(-limit) };
    },
  );
  api.put(
    {
      path: '/api/host/logs',
      access: { ...access, ...json },
      summary:
        'Set the log level of all instances for an hour; null restores the level of the start.',
      body: setLogLevelSchema,
      response: logLevelViewSchema,
    },
    ({ owner, body }) => host.log.set(owner, body.level),
  );
  api.get(
    {
      path: '/api/host/logs/events',
      access,
      summary:
        'Stream the log of the instance that answers as server-sent events, after the event `after`.',
      query: hostLogEventsQuerySchema,
    },
    ({ visitor, query }) =>
      eventStream(host.limits, async (viewer) => {
        const send = (event: HostLogEvent) =>
          viewer.send(sseFrame(event, undefined, host.log.position), true);
        const leave = await host.streams.add(visitor, () => viewer.end());
        send({ log: host.log.viewAfter(query.after) });
        const end = host.log.listen(send);
        return () => {
          leave();
          end();
        };
      }),
  );
}
