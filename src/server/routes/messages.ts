import { withLimits } from '#chat/conversations/answer-request.ts';
import type { Host } from '#chat/host/host.ts';
import { withinOf } from '#chat/servers/key-rights.ts';
import { readCaller } from '#chat/telemetry/trace-context.ts';
import {
  regenerateSchema,
  sendMessageSchema,
  translateSchema,
  sentMessageSchema,
  startedAnswerSchema,
  translatingSchema,
  topicViewSchema,
} from '#shared/api/api.ts';
import { replaySchema } from '#shared/api/topic-api.ts';
import { timelineSchema } from '#shared/telemetry/timeline-api.ts';
import { chat, json, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function messageRoutes(api: Api, host: Host): void {
  answerRoutes(api, host);
  api.post(
    {
      path: '/api/topics/:id/messages',
      access: { ...chat, ...json },
      summary: 'Send a message. The answer starts once both are stored.',
      body: sendMessageSchema,
      status: 202,
      response: sentMessageSchema,
    },
    ({ owner, visitor, params, body, remember, c }) => {
      const message = withLimits(body, withinOf(visitor), readCaller(c.req.raw));
      return host.messages.send(owner, params.id, message, remember);
    },
  );
  api.post(
    {
      path: '/api/messages/:id/translate',
      access: { ...chat, ...json },
      summary: 'Translate a message. The translation is added to it as a block.',
      body: translateSchema,
      status: 202,
      response: translatingSchema,
    },
    ({ owner, params, body, remember }) =>
      host.messages.translate(owner, params.id, body, remember),
  );
  api.post(
    {
      path: '/api/messages/:id/fork',
      access: chat,
      summary: 'Copy the branch up to a message into a new topic.',
      status: 201,
      response: topicViewSchema,
    },
    ({ owner, params, remember }) => host.data.fork(owner, params.id, remember),
  );
  api.delete(
    {
      path: '/api/messages/:id',
      access: chat,
      summary: 'Delete a message and everything below it.',
      status: 204,
    },
    async ({ owner, params }) => {
      await host.topics.deleteMessage(owner, params.id);
      return {};
    },
  );
}

function answerRoutes(api: Api, host: Host): void {
  api.post(
    {
      path: '/api/answers/:id/regenerate',
      access: { ...chat, ...json },
      summary: 'Regenerate an answer as a new branch.',
      body: regenerateSchema,
      status: 202,
      response: startedAnswerSchema,
    },
    ({ owner, visitor, params, body, remember }) => {
      const asked = { ...body, within: withinOf(visitor) };
      return host.messages.regenerate(owner, params.id, asked, remember);
    },
  );
  api.get(
    {
      path: '/api/answers/:id/timeline',
      access: read,
      summary: 'Get the timeline of an answer: its requests to the model, tool calls and waits.',
      response: timelineSchema,
    },
    ({ owner, params }) => host.timeline(owner, params.id),
  );
  api.post(
    {
      path: '/api/answers/:id/replay',
      access: chat,
      summary: 'Replay an answer from its record and compare. Calls no model and no tool.',
      response: replaySchema,
    },
    ({ owner, params }) => host.replays.replay(owner, params.id),
  );
  api.post(
    {
      path: '/api/answers/:id/stop',
      access: chat,
      summary: 'Stop an answer or the translation of a message.',
      status: 202,
    },
    async ({ owner, params }) => {
      await host.messages.stop(owner, params.id);
      return {};
    },
  );
}
