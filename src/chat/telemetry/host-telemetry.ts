import type { Logger } from '#shared/vocabulary/ports.ts';
import type {
  CallFact,
  CallRef,
  McpRequestFact,
  McpRequestWatch,
  ModelEnd,
  ModelFact,
  ModelWatch,
  RoundFact,
  Telemetry,
  TelemetryDetail,
  TurnFact,
} from '#shared/telemetry/telemetry.ts';
import { Metrics } from './metrics.ts';
import { OtlpExporter, type OtlpOptions } from './otlp-exporter.ts';
import { toTraceparent } from './trace-context.ts';
import { Tracer, type TracerOptions } from './tracer.ts';

/** What a host counts and traces; absent: nothing. */
export interface TelemetryOptions {
  /** Opens `/metrics`: the key that is asked for there. */
  metricsKey?: string | undefined;
  /** Where traces go. */
  traces?: (OtlpOptions & TracerOptions) | undefined;
}

/** Hears what the host does, and makes log lines, metrics and traces of it. */
export class HostTelemetry implements Telemetry {
  readonly metrics: Metrics | undefined;
  readonly metricsKey: string | undefined;
  readonly detail: TelemetryDetail | undefined;
  readonly #tracer: Tracer | undefined;
  readonly #logger: Logger;

  constructor({ metricsKey, traces }: TelemetryOptions, logger: Logger, now: () => number) {
    this.#logger = logger;
    this.metricsKey = metricsKey;
    this.metrics = metricsKey === undefined ? undefined : new Metrics();
    this.#tracer = traces && new Tracer(new OtlpExporter(traces, logger), traces);
    this.detail =
      this.metrics || this.#tracer ? new Detail(this.metrics, this.#tracer, now) : undefined;
  }

  turnEnded(turn: TurnFact): void {
    this.metrics?.turnEnded(turn);
    this.#tracer?.turnEnded(turn);
    const { answerId, topicId, model, status, error, usage } = turn;
    const durationMs = turn.endedAt - turn.startedAt;
    const fields = {
      answerId,
      topicId,
      model,
      status,
      durationMs,
      ...usage,
      ...(error && { error }),
    };
    this.#logger.info(fields, `Answer ended (${status}) after ${durationMs} ms`);
  }

  callStepped(call: CallRef, step: keyof typeof stepWords, durationMs?: number): void {
    const took = durationMs === undefined ? '' : ` ${stepWords[step].took} ${durationMs} ms`;
    const fields = { ...fieldsOf(call), step, ...(took && { durationMs }) };
    this.#logger.info(fields, `${nameOf(call)}: ${stepWords[step].text}${took}`);
  }

  callEnded(call: CallFact): void {
    this.metrics?.callEnded(call);
    this.#tracer?.callEnded(call);
    const { state, error } = call;
    const durationMs = call.endedAt - (call.decidedAt ?? call.createdAt);
    const fields = { ...fieldsOf(call), state, durationMs, ...(error && { error }) };
    const how = state.replaceAll('_', ' ');
    this.#logger.info(fields, `${nameOf(call)}: ${how} in ${durationMs} ms`);
  }

  async close(): Promise<void> {
    this.metrics?.close();
    await this.#tracer?.close();
  }
}

const stepWords = {
  waiting: { text: 'waiting for approval', took: 'after' },
  approved: { text: 'approved', took: 'after' },
  connecting: { text: 'connecting automatically', took: 'after' },
  connected: { text: 'connected', took: 'in' },
  sent: { text: 'sent', took: 'after' },
};

function fieldsOf({ toolCallId, topicId, serverId, toolName }: CallRef) {
  return { toolCallId, topicId, serverId, toolName };
}

/** Tools of the host itself have no server. */
function nameOf({ serverName, toolName }: CallRef): string {
  return serverName === '' ? toolName : `${serverName} / ${toolName}`;
}

/** What is measured only where somebody wants to know. */
class Detail implements TelemetryDetail {
  readonly #metrics: Metrics | undefined;
  readonly #tracer: Tracer | undefined;
  readonly #now: () => number;

  constructor(metrics: Metrics | undefined, tracer: Tracer | undefined, now: () => number) {
    this.#metrics = metrics;
    this.#tracer = tracer;
    this.#now = now;
  }

  roundEnded(round: RoundFact): void {
    this.#tracer?.roundEnded(round);
  }

  modelStarted(request: ModelFact): ModelWatch {
    const startMs = this.#now();
    const began = performance.now();
    let firstMs: number | undefined;
    let chunks = 0;
    let hasEnded = false;
    return {
      received: (count) => {
        firstMs ??= performance.now() - began;
        chunks += count;
      },
      end: (end: ModelEnd) => {
        if (hasEnded) return;
        hasEnded = true;
        const seen = { startMs, durationMs: performance.now() - began, firstMs, chunks };
        this.#metrics?.modelEnded(request, end, seen);
        this.#tracer?.modelEnded(request, end, seen);
      },
    };
  }

  requestStarted(request: McpRequestFact): McpRequestWatch {
    const startMs = this.#now();
    const began = performance.now();
    const place = this.#tracer?.placeOfRequest(request);
    return {
      ...(place && { traceparent: toTraceparent(place) }),
      end: (error) => {
        const durationMs = performance.now() - began;
        this.#metrics?.requestEnded(request, durationMs, error);
        if (place) this.#tracer?.requestEnded(request, place, { startMs, durationMs, error });
      },
    };
  }
}
