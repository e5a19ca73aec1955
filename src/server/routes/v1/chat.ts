import type { Host } from '#chat/host/host.ts';
import { chat } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';
import { ChatEncoder, errorFrame, toChatCompletion } from '../../v1/chat-encoder.ts';
import { customTools, readChatRequest } from '../../v1/chat-request.ts';
import { tellAnswer } from '../../v1/tell-answer.ts';
import type { V1Bodies } from '../../v1/v1-bodies.ts';

/** Chat completions: one request in, the finished answer out, with the tools run here. */
export function chatRoutes(api: Api, host: Host, bodies: V1Bodies): void {
  api.upload(
    {
      path: '/v1/chat/completions',
      access: { ...chat, body: 'large-json', limit: 'v1Body' },
      summary: 'Create a chat completion (OpenAI). Tools of MCP servers run in Cerise.',
    },
    ({ visitor, c }) =>
      bodies.use(c.req.raw, visitor, async (json, arrival) => {
        const { body, request } = readChatRequest(json);
        const started = await host.runs.begin(visitor, request, arrival);
        const facts = {
          id: `chatcmpl-${started.run.id}`,
          created: Math.floor(started.run.createdAt / 1000),
          model: body.model,
          customTools: customTools(body),
        };
        const includeUsage = body.stream_options?.include_usage === true;
        return () =>
          tellAnswer(host, visitor, started, c.req.raw.signal, {
            vendor: 'openai',
            withImages: true,
            isStreamed: body.stream === true,
            whole: (answer) => toChatCompletion(facts, answer),
            encoder: () => new ChatEncoder({ ...facts, includeUsage }),
            cut: errorFrame,
          });
      }),
  );
}
