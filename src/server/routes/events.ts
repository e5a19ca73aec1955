import type { Host } from '#chat/host/host.ts';
import type { Visitor } from '#chat/people/visitor.ts';
import { eventFor, waitingEvent, withinOf } from '#chat/servers/key-rights.ts';
import type { Viewer } from '#chat/topic/viewers.ts';
import { eventsQuerySchema } from '#shared/api/stream-api.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import { read } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import { eventStream } from '../http/event-stream.ts';

export function eventRoutes(api: Api, host: Host): void {
  /** A stream that ends when the credential it was opened with holds no longer. */
  const endedWith = (visitor: Visitor, attach: (viewer: Viewer) => Promise<() => void>) =>
    eventStream(host.limits, async (viewer) => {
      const leave = await host.streams.add(visitor, () => viewer.end());
      const detach = await attach(viewer).catch((error: unknown) => {
        leave();
        throw error;
      });
      return () => {
        leave();
        detach();
      };
    });
  api.get(
    {
      path: '/api/topics/:id/events',
      access: read,
      summary:
        "Stream a topic's server-sent events after a seq (`after` or Last-Event-ID). Starts with a snapshot if that seq is no longer stored.",
      query: eventsQuerySchema,
    },
    ({ owner, visitor, params, query, c }) => {
      const after = toSeq(c.req.header('last-event-id') ?? query.after);
      return endedWith(visitor, (viewer) => host.topics.watch(owner, params.id, after, viewer));
    },
  );
  api.get(
    {
      path: '/api/events',
      access: read,
      summary:
        "Stream the host's server-sent events: topics, running answers, servers, waiting calls and requests from servers.",
    },
    ({ owner, visitor }) =>
      endedWith(visitor, async (viewer) => {
        const end = host.events.subscribe(owner, (event) => {
          const heard = eventFor(visitor, event);
          if (heard) viewer.send(sseFrame(heard), true);
        });
        for (const call of await host.approvals.waiting(owner)) {
          const heard = eventFor(visitor, waitingEvent(call));
          if (heard) viewer.send(sseFrame(heard), true);
        }
        for (const { id: inputId, serverId, topicId } of await host.inputs.list(
          owner,
          withinOf(visitor),
        ))
          viewer.send(sseFrame({ type: 'input-requested', inputId, serverId, topicId }), true);
        return end;
      }),
  );
}

/** Whatever is no seq of ours is answered with a snapshot. */
function toSeq(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
