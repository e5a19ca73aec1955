import type { Host } from '#chat/host/host.ts';
import type { Visitor } from '#chat/people/visitor.ts';
import type { CallWord } from '#chat/runs/decide-calls.ts';
import { readCaller } from '#chat/telemetry/trace-context.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { chat, read } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';
import { UiEncoder } from '../../ui/ui-encoder.ts';
import { readUiRequest } from '../../ui/ui-request.ts';
import { Reading } from '../../v1/reading.ts';
import type { V1Bodies } from '../../v1/v1-bodies.ts';

/** A chat as the backend of the AI SDK's `useChat`. */
export function uiRoutes(api: Api, host: Host, bodies: V1Bodies): void {
  api.upload(
    {
      path: '/api/topics/:id/ui',
      access: { ...chat, body: 'large-json', limit: 'v1Body' },
      summary: 'Send what is new in a chat of the AI SDK, and stream the answer as it expects.',
    },
    ({ visitor, params, c }) =>
      bodies.use(c.req.raw, visitor, async (json, { requestKey }) => {
        const request = { ...readUiRequest(json), caller: readCaller(c.req.raw) };
        const answer = await host.uiAnswers.begin(visitor, params.id, request, requestKey);
        const words = request.type === 'decide' ? request.words : [];
        return () => stream(host, visitor, answer, words, c.req.raw.signal);
      }),
  );
  // The second is where the AI SDK's transport looks by itself; how it calls the chat says nothing here.
  for (const path of ['/api/topics/:id/ui', '/api/topics/:id/ui/:chat/stream'] as const)
    api.get(
      {
        path,
        access: read,
        summary:
          "Stream a running answer for the AI SDK's chat, from its beginning; 204 if none runs.",
      },
      async ({ owner, visitor, params, c }) => {
        const answer = await host.uiAnswers.running(owner, params.id);
        if (!answer) return new Response(null, { status: 204 });
        return stream(host, visitor, answer, [], c.req.raw.signal);
      },
    );
}

async function stream(
  host: Host,
  visitor: Visitor,
  answer: Message,
  words: CallWord[],
  signal: AbortSignal,
): Promise<Response> {
  const encoder = new UiEncoder(words);
  const isOver = (each: Message) => encoder.isOver(each);
  const reading = await Reading.open(host, visitor, { answer }, { signal, goesOn: true, isOver });
  const response = await reading.stream({
    write: (each) => encoder.write(each),
    cut: (error) => encoder.cut(error),
  });
  response.headers.set('x-vercel-ai-ui-message-stream', 'v1');
  return response;
}
