import type { Host } from '#chat/host/host.ts';
import { estimateRequest } from '#chat/runs/request-size.ts';
import { tokenCountSchema } from '#shared/api/v1-api.ts';
import { chat } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';
import {
  errorFrame,
  MessagesEncoder,
  pingFrame,
  toAnthropicMessage,
} from '../../v1/messages-encoder.ts';
import { inThread } from '../../v1/message-threads.ts';
import { readMessagesRequest, wantsThinking } from '../../v1/messages-request.ts';
import { messageId } from '../../v1/responses-ids.ts';
import { tellAnswer } from '../../v1/tell-answer.ts';
import type { V1Bodies } from '../../v1/v1-bodies.ts';

/** Anthropic's messages, so that agents for that API run on any model. */
export function v1MessageRoutes(api: Api, host: Host, bodies: V1Bodies): void {
  api.upload(
    {
      path: '/v1/messages',
      access: { ...chat, body: 'large-json', limit: 'v1Body' },
      summary: 'Create a message (Anthropic). Tools of MCP servers run in Cerise.',
    },
    ({ visitor, c }) =>
      bodies.use(c.req.raw, visitor, async (json, arrival) => {
        const { body, request } = readMessagesRequest(json);
        const whole = await inThread(host, visitor.owner, body, request);
        const started = await host.runs.begin(visitor, whole, arrival);
        const facts = {
          id: messageId(started.run.id),
          model: body.model,
          showsThinking: wantsThinking(body),
        };
        return () =>
          tellAnswer(host, visitor, started, c.req.raw.signal, {
            vendor: 'anthropic',
            isStreamed: body.stream === true,
            whole: (answer) => toAnthropicMessage(facts, answer),
            encoder: () => new MessagesEncoder({ ...facts, inputTokens: estimateRequest(whole) }),
            cut: errorFrame,
            heartbeat: pingFrame,
          });
      }),
  );
  api.upload(
    {
      path: '/v1/messages/count_tokens',
      access: { ...chat, body: 'large-json', limit: 'v1Body' },
      summary: 'Estimate the input tokens of a message (Anthropic).',
      response: tokenCountSchema,
    },
    ({ visitor, c }) =>
      bodies.use(c.req.raw, visitor, async (json) => {
        const tokens = estimateRequest(readMessagesRequest(json).request);
        return async () => Response.json({ input_tokens: tokens });
      }),
  );
}
