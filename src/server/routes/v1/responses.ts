import type { Context } from 'hono';
import type { Host } from '#chat/host/host.ts';
import type { Visitor } from '#chat/people/visitor.ts';
import { responseNotFound } from '#chat/runs/run-place.ts';
import { hasSent, type StartedRun } from '#chat/runs/runs.ts';
import { failureOf } from '#shared/answer/answer-ending.ts';
import { inputItemsQuerySchema, responseQuerySchema, type Run } from '#shared/api/v1-api.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { chat, read } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';
import { inputItems } from '../../v1/input-items.ts';
import { Reading } from '../../v1/reading.ts';
import { ResponsesEncoder } from '../../v1/responses-encoder.ts';
import { responseId, runOfResponse } from '../../v1/responses-ids.ts';
import { readResponsesRequest } from '../../v1/responses-request.ts';
import { vendorError } from '../../v1/v1-errors.ts';
import type { V1Bodies } from '../../v1/v1-bodies.ts';

/** The responses API: made at once or in the background, read again, followed from any event, cancelled, removed. */
export function responseRoutes(api: Api, host: Host, bodies: V1Bodies): void {
  api.upload(
    {
      path: '/v1/responses',
      access: { ...chat, body: 'large-json', limit: 'v1Body' },
      summary: 'Create a response (OpenAI). Tools of MCP servers run in Cerise.',
    },
    ({ visitor, c }) =>
      bodies.use(c.req.raw, visitor, async (json, arrival) => {
        const { body, request } = readResponsesRequest(json);
        const started = await host.runs.begin(visitor, request, arrival);
        return () => answer(host, visitor, started, c, { ...body, after: -1 });
      }),
  );
  api.get(
    {
      path: '/v1/responses/:id',
      access: read,
      summary: 'Get a stored response, or stream it after one of its events (OpenAI).',
      query: responseQuerySchema,
    },
    async ({ owner, visitor, params, query, c }) => {
      const started = await host.runs.look(await findRun(host, owner, params.id));
      if (query.stream !== 'true') return responseNow(host, visitor, started, c);
      const after = query.starting_after ?? -1;
      return stream(host, visitor, started, c, { after, goesOn: true });
    },
  );
  api.get(
    {
      path: '/v1/responses/:id/input_items',
      access: read,
      summary: 'List the input items of a stored response (OpenAI).',
      query: inputItemsQuerySchema,
    },
    async ({ owner, params, query }) => {
      const run = await findRun(host, owner, params.id);
      return inputItems(await host.runs.history(run), query);
    },
  );
  api.post(
    {
      path: '/v1/responses/:id/cancel',
      access: chat,
      summary: 'Cancel a response that is still running (OpenAI).',
    },
    async ({ owner, visitor, params, c }) => {
      const run = await findRun(host, owner, params.id);
      await host.runs.stop(run);
      const started = await host.runs.look(run);
      const reading = await Reading.open(host, visitor, started, readingOf(c, true));
      const ended = await reading.ended();
      return Response.json(new ResponsesEncoder(run, ended).toResponse(ended));
    },
  );
  api.delete(
    {
      path: '/v1/responses/:id',
      access: chat,
      summary: 'Delete a stored response (OpenAI).',
    },
    async ({ owner, params }) => {
      const run = await findRun(host, owner, params.id);
      await host.runs.remove(run);
      return { id: responseId(run.id), object: 'response', deleted: true };
    },
  );
}

/** One that may be read again. Throws `response_not_found`. */
async function findRun(host: Host, owner: string, id: string): Promise<Run> {
  const run = await host.runs.get(owner, runOfResponse(id));
  if (run.kind === 'response' && run.stored) return run;
  throw responseNotFound();
}

function readingOf(c: Context, goesOn: boolean) {
  return { signal: c.req.raw.signal, goesOn, withImages: true };
}

async function answer(
  host: Host,
  visitor: Visitor,
  started: StartedRun,
  c: Context,
  asked: {
    stream?: boolean | null | undefined;
    background?: boolean | null | undefined;
    after: number;
  },
): Promise<Response> {
  const goesOn = asked.background === true;
  if (asked.stream) return stream(host, visitor, started, c, { after: -1, goesOn });
  if (goesOn) return responseNow(host, visitor, started, c);
  const { run } = started;
  const encoder = new ResponsesEncoder(run, started.answer);
  const reading = await Reading.open(host, visitor, started, {
    ...readingOf(c, goesOn),
    isOver: (each) => encoder.isOver(each),
  });
  const ended = await reading.ended();
  const failure = failureOf(ended);
  if (failure) return vendorError(failure, 'openai', { isFinal: hasSent(ended) });
  const ends = endsOf(run, ended);
  if (ends) await host.runs.end(run, ends);
  return Response.json(encoder.toResponse(ended));
}

/** As far as it has come. */
async function responseNow(
  host: Host,
  visitor: Visitor,
  started: StartedRun,
  c: Context,
): Promise<Response> {
  const reading = await Reading.open(host, visitor, started, readingOf(c, true));
  const now = await reading.now();
  reading.leave();
  const { run } = started;
  const ends = endsOf(run, now);
  if (ends) await host.runs.end(run, ends);
  return Response.json(new ResponsesEncoder(run, now).toResponse(now));
}

async function stream(
  host: Host,
  visitor: Visitor,
  started: StartedRun,
  c: Context,
  { after, goesOn }: { after: number; goesOn: boolean },
): Promise<Response> {
  const { run } = started;
  const encoder = new ResponsesEncoder(run, started.answer, {
    after,
    joins: started.after === undefined,
  });
  const reading = await Reading.open(host, visitor, started, {
    ...readingOf(c, goesOn),
    isOver: (each) => encoder.isOver(each),
  });
  if (!goesOn) {
    await reading.begun(host.limits.heartbeat);
    const failure = failureOf(reading.answer);
    if (failure && !hasSent(reading.answer)) return vendorError(failure, 'openai');
  }
  const settle = (each: Message) => {
    const ends = endsOf(run, each);
    return ends && host.runs.end(run, ends);
  };
  const write = (each: Message) => encoder.write(each);
  return reading.stream({ write, settle, cut: (error) => encoder.cut(error) });
}

/** Where a run that is over ends, while its answer goes on. */
function endsOf(run: Run, answer: Message): Run['ends'] {
  const encoder = new ResponsesEncoder(run, answer);
  if (!encoder.isOver(answer)) return undefined;
  encoder.write(answer);
  return encoder.endsHere(answer);
}
