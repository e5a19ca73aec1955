import { randomBytes } from 'node:crypto';
import type {
  AnswerRef,
  CallFact,
  McpRequestFact,
  ModelEnd,
  ModelFact,
  RoundFact,
  TurnFact,
} from '#shared/telemetry/telemetry.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import type { Attributes, Span, SpanSink } from './span.ts';
import { readTraceparent, spanIds, traceIdOf, type TracePlace } from './trace-context.ts';

/** The most characters of one content that goes along. */
const maxContentChars = 32_768;

export interface TracerOptions {
  /** Whether what people, models and tools write goes along. */
  content: boolean;
  /** Which part of the traces is recorded, from 0 to 1, where a caller does not say. */
  ratio: number;
}

/** Makes spans of what a host does, by the names of OpenTelemetry for models and MCP. */
export class Tracer {
  readonly #sink: SpanSink;
  readonly #options: TracerOptions;

  constructor(sink: SpanSink, options: TracerOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  turnEnded(turn: TurnFact): void {
    const { answerId, topicId, caller, status, error } = turn;
    const place = this.#placeOf(turn, spanIds.turn(answerId));
    this.#add(place, {
      name: 'invoke_agent',
      kind: 'internal',
      parentSpanId: readTraceparent(caller?.traceparent)?.spanId,
      startMs: turn.startedAt,
      endMs: turn.endedAt,
      error,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': topicId,
        'gen_ai.request.model': turn.model,
        'cerise.answer.id': answerId,
        'cerise.answer.status': status,
        ...usageOf(turn.usage),
      },
    });
  }

  roundEnded(round: RoundFact): void {
    const { answerId, round: number, resumes } = round;
    const place = this.#placeOf(round, spanIds.round(answerId, number));
    const before = resumes === undefined ? undefined : spanIds.round(answerId, resumes);
    this.#add(place, {
      name: `round ${number + 1}`,
      kind: 'internal',
      parentSpanId: spanIds.turn(answerId),
      startMs: round.startedAt,
      endMs: round.endedAt,
      attributes: {
        'gen_ai.conversation.id': round.topicId,
        'cerise.round': number + 1,
        ...(before && { 'cerise.resumed': true }),
      },
      links: before ? [{ traceId: place.traceId, spanId: before }] : [],
    });
  }

  modelEnded(
    request: ModelFact,
    end: ModelEnd,
    seen: { startMs: number; durationMs: number; firstMs: number | undefined },
  ): void {
    const { within, model, vendor, purpose } = request;
    const place = within
      ? this.#placeOf(within, randomId(8))
      : this.#sampledPlace({ traceId: randomId(16), spanId: randomId(8) });
    const slash = model.indexOf('/');
    const name = model.slice(slash + 1);
    this.#add(place, {
      name: `chat ${name}`,
      kind: 'client',
      parentSpanId: within && spanIds.round(within.answerId, within.round),
      startMs: seen.startMs,
      endMs: seen.startMs + seen.durationMs,
      error: end.error,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': vendor ?? model.slice(0, Math.max(0, slash)),
        'gen_ai.request.model': name,
        'gen_ai.conversation.id': within?.topicId,
        'gen_ai.response.finish_reasons': end.finishReason,
        'gen_ai.response.time_to_first_chunk':
          seen.firstMs === undefined ? undefined : seen.firstMs / 1000,
        'cerise.purpose': purpose,
        ...usageOf(end.usage),
        'gen_ai.input.messages': this.#content(request.content),
        'gen_ai.output.messages': this.#content(end.content),
      },
    });
  }

  callEnded(call: CallFact): void {
    const { toolCallId, answerId, caller, createdAt, decidedAt, error } = call;
    const traceId = traceIdOf(answerId ?? toolCallId, caller);
    const place = this.#sampledPlace({ traceId, spanId: spanIds.call(toolCallId) }, caller);
    const content = this.#options.content ? call.content?.() : undefined;
    this.#add(place, {
      name: `execute_tool ${call.toolName}`,
      kind: 'internal',
      parentSpanId:
        answerId === undefined
          ? readTraceparent(caller?.traceparent)?.spanId
          : spanIds.round(answerId, call.round),
      startMs: createdAt,
      endMs: call.endedAt,
      error,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': call.toolName,
        'gen_ai.tool.call.id': toolCallId,
        'gen_ai.conversation.id': call.topicId,
        'cerise.server.id': call.serverId,
        'cerise.call.state': call.state,
        'gen_ai.tool.call.arguments': content && shortened(content.arguments),
        'gen_ai.tool.call.result': content && shortened(content.result),
      },
    });
    if (decidedAt !== undefined) this.#waitEnded(call, place, decidedAt);
  }

  #waitEnded({ toolCallId, createdAt }: CallFact, call: TracePlace, decidedAt: number): void {
    this.#add(
      { ...call, spanId: randomId(8) },
      {
        name: 'wait for approval',
        kind: 'internal',
        parentSpanId: call.spanId,
        startMs: createdAt,
        endMs: decidedAt,
        attributes: { 'gen_ai.tool.call.id': toolCallId },
      },
    );
  }

  /** Where a request to a server stands, which the server is told as the parent of what it does. */
  placeOfRequest({ traceparent }: McpRequestFact): TracePlace & { parentSpanId?: string } {
    const parent = readTraceparent(traceparent);
    const spanId = randomId(8);
    if (!parent) return this.#sampledPlace({ traceId: randomId(16), spanId });
    const { traceId, sampled } = parent;
    const isRecorded = sampled && this.#isChosen(traceId);
    return { traceId, spanId, parentSpanId: parent.spanId, sampled: isRecorded };
  }

  requestEnded(
    request: McpRequestFact,
    place: TracePlace & { parentSpanId?: string },
    seen: { startMs: number; durationMs: number; error: string | undefined },
  ): void {
    const { method, target } = request;
    this.#add(place, {
      name: target === undefined ? method : `${method} ${target}`,
      kind: 'client',
      parentSpanId: place.parentSpanId,
      startMs: seen.startMs,
      endMs: seen.startMs + seen.durationMs,
      error: seen.error,
      attributes: {
        'mcp.method.name': method,
        [method === 'prompts/get' ? 'gen_ai.prompt.name' : 'gen_ai.tool.name']: target,
        'jsonrpc.request.id': String(request.requestId),
        'mcp.protocol.version': request.protocolVersion,
        'network.transport': request.transport,
        'cerise.server.id': request.serverId,
        'cerise.server.type': request.serverType,
      },
    });
  }

  /** Sends what is left. */
  close(): Promise<void> {
    return this.#sink.close();
  }

  #placeOf({ answerId, caller }: AnswerRef, spanId: string): TracePlace {
    return this.#sampledPlace({ traceId: traceIdOf(answerId, caller), spanId }, caller);
  }

  /** A caller that does not record its trace is not recorded here. */
  #sampledPlace(place: Omit<TracePlace, 'sampled'>, caller?: AnswerRef['caller']): TracePlace {
    const wanted = readTraceparent(caller?.traceparent)?.sampled ?? this.#isChosen(place.traceId);
    return { ...place, sampled: wanted };
  }

  /** By the trace alone, so that all who work on it agree. */
  #isChosen(traceId: string): boolean {
    const { ratio } = this.#options;
    return ratio >= 1 || Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < ratio;
  }

  #content(make: (() => unknown) | undefined): string | undefined {
    return this.#options.content && make ? shortened(make()) : undefined;
  }

  #add({ traceId, spanId, sampled }: TracePlace, span: Omit<Span, 'traceId' | 'spanId'>): void {
    if (sampled) this.#sink.add({ traceId, spanId, ...span });
  }
}

function usageOf(usage: Usage | undefined): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
    'cerise.usage.cost_usd': usage?.cost,
  };
}

function shortened(content: unknown): string {
  return (JSON.stringify(content) ?? '').slice(0, maxContentChars);
}

/** Random bytes that are not used yet: asking the system for a few costs as much as for many. */
let pool = Buffer.alloc(0);

function randomId(bytes: number): string {
  if (pool.length < bytes) pool = randomBytes(4096);
  const id = pool.toString('hex', 0, bytes);
  pool = pool.subarray(bytes);
  return id;
}
