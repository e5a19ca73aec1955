import type { Host } from '#chat/host/host.ts';
import { followSchema, streamQuerySchema } from '#shared/api/stream-api.ts';
import { json, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import { type Subscription, Streams } from '../http/streams.ts';

/** One stream for everything a browser shows, however many pages it has open. */
export function streamRoutes(api: Api, host: Host): void {
  const streams = new Streams(host);
  api.get(
    {
      path: '/api/streams/:id',
      access: read,
      summary:
        'Stream the server-sent events of the host and of several topics (`topics=ID:SEQ,ID:SEQ`).',
      query: streamQuerySchema,
    },
    ({ visitor, params, query }) =>
      streams.open(visitor, params.id, readTopics(query.topics, query.blocks)),
  );
  api.post(
    {
      path: '/api/streams/:id/topics',
      access: { ...read, ...json },
      summary: 'Add a topic to an open stream, or restart it after another event.',
      body: followSchema,
      status: 204,
    },
    async ({ owner, params, body }) => {
      await streams.follow(owner, params.id, body);
      return {};
    },
  );
  api.delete(
    {
      path: '/api/streams/:id/topics/:topicId',
      access: read,
      summary: 'Remove a topic from an open stream.',
      status: 204,
    },
    async ({ owner, params }) => {
      await streams.unfollow(owner, params.id, params.topicId);
      return {};
    },
  );
}

/** A topic without a number that could be one of ours is answered with a snapshot. */
function readTopics(text: string, blocks: number | undefined): Subscription[] {
  const topics = new Map<string, Subscription>();
  for (const part of text.split(',').filter((part) => part !== '')) {
    const [topicId = '', seq = ''] = part.split(':');
    const after = /^\d{1,15}$/.test(seq) ? Number(seq) : undefined;
    topics.set(topicId, { topicId, after, blocks });
  }
  return [...topics.values()];
}
