import type { Host } from '#chat/host/host.ts';
import { assertMayChoose, withinOf } from '#chat/servers/key-rights.ts';
import {
  conversationViewSchema,
  createTopicSchema,
  topicViewSchema,
  updateTopicSchema,
  topicsSchema,
  topicQuerySchema,
  messagePageSchema,
  searchQuerySchema,
  searchHitsSchema,
  messagePageQuerySchema,
} from '#shared/api/api.ts';
import {
  topicListQuerySchema,
  topicUsesSchema,
  deleteTopicQuerySchema,
} from '#shared/api/topic-api.ts';
import { chat, json, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function topicRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/topics',
      access: read,
      summary: 'List topics that are not archived (or those that are), most recently used first.',
      query: topicListQuerySchema,
      response: topicsSchema,
    },
    async ({ owner, query }) => ({ topics: await host.topics.list(owner, query) }),
  );
  api.post(
    {
      path: '/api/topics',
      access: { ...chat, ...json },
      summary: 'Create a topic.',
      body: createTopicSchema,
      status: 201,
      response: topicViewSchema,
    },
    async ({ owner, body, remember }) => {
      if (body.model) await host.models.of(owner).resolve(body.model);
      return host.topics.create(owner, body, remember);
    },
  );
  api.get(
    {
      path: '/api/topics/:id',
      access: read,
      summary: 'Get a topic with its newest messages, or its newest `blocks`, as of `seq`.',
      query: topicQuerySchema,
      response: conversationViewSchema,
    },
    ({ owner, params, query }) => host.topics.snapshot(owner, params.id, query.blocks),
  );
  api.patch(
    {
      path: '/api/topics/:id',
      access: { ...chat, ...json },
      summary: 'Rename, pin or archive a topic, change its overrides, or show another branch.',
      body: updateTopicSchema,
      response: topicViewSchema,
    },
    async ({ owner, visitor, params, body }) => {
      await host.servers.check(owner, body.mcp?.selectedServers ?? [], withinOf(visitor));
      assertMayChoose(visitor, body);
      if (body.model) await host.models.of(owner).resolve(body.model);
      return host.topics.update(owner, params.id, body);
    },
  );
  api.delete(
    {
      path: '/api/topics/:id',
      access: chat,
      summary:
        'Delete a topic and everything in it, permanently or (with `undo`) so that it can be restored.',
      query: deleteTopicQuerySchema,
      status: 204,
    },
    async ({ owner, params, query }) => {
      await host.topics.delete(owner, params.id, { undo: query.undo === '1' });
      return {};
    },
  );
  api.post(
    {
      path: '/api/topics/:id/restore',
      access: chat,
      summary: 'Restore a topic that was deleted with `undo` a moment ago.',
      response: topicViewSchema,
    },
    ({ owner, params }) => host.topics.restore(owner, params.id),
  );
  earlierRoutes(api, host);
}

/** What is not in the newest part of a topic. */
function earlierRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/topics/:id/messages',
      access: read,
      summary:
        'List the messages before a given one (or before its block with that `ordinal`), oldest first.',
      query: messagePageQuerySchema,
      response: messagePageSchema,
    },
    ({ owner, params, query }) => host.topics.earlierMessages(owner, params.id, query),
  );
  api.get(
    {
      path: '/api/topic-uses',
      access: read,
      summary: 'List the models and servers that answers used, to filter topics.',
      response: topicUsesSchema,
    },
    ({ owner }) => host.topics.uses(owner),
  );
  api.get(
    {
      path: '/api/search',
      access: read,
      summary: 'Search topics and blocks by text, or the blocks of one topic.',
      query: searchQuerySchema,
      response: searchHitsSchema,
    },
    async ({ owner, query }) => ({ hits: await host.topics.search(owner, query.q, query.topicId) }),
  );
}
