import { monitorEventLoopDelay } from 'node:perf_hooks';
import type {
  CallFact,
  McpRequestFact,
  ModelEnd,
  ModelFact,
  TurnFact,
} from '#shared/telemetry/telemetry.ts';
import { Histogram, Series } from './series.ts';

const seconds = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];

/** What is counted since the start. Labels are of few values: none names a person, a topic or a server. */
export class Metrics {
  readonly #turns = counter('cerise_turns_total', 'Answers that ended, by status.');
  readonly #calls = counter('cerise_tool_calls_total', 'Tool calls that ended, by state.');
  readonly #chunks = counter(
    'cerise_model_chunks_total',
    'Chunks that models sent: text and other deltas.',
  );
  readonly #cost = counter('cerise_model_cost_usd_total', 'Cost of model requests in US dollars.');
  readonly #requests = new Histogram(
    'mcp_client_operation_duration_seconds',
    seconds,
    'Duration of requests to MCP servers.',
  );
  readonly #answers = new Histogram(
    'gen_ai_client_operation_duration_seconds',
    seconds,
    'Duration of requests to models.',
  );
  readonly #first = new Histogram(
    'gen_ai_client_operation_time_to_first_chunk_seconds',
    seconds,
    'Time until a model sent its first chunk.',
  );
  readonly #tokens = new Histogram(
    'gen_ai_client_token_usage',
    tokens,
    'Tokens of model requests.',
  );
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    this.#delay.enable();
  }

  turnEnded({ status }: TurnFact): void {
    this.#turns.add(1, { status });
  }

  callEnded({ state }: CallFact): void {
    this.#calls.add(1, { state });
  }

  modelEnded(
    { purpose, model, vendor = 'unknown' }: ModelFact,
    { usage = {}, error }: ModelEnd,
    seen: { durationMs: number; firstMs: number | undefined; chunks: number },
  ): void {
    const labels = {
      gen_ai_provider_name: vendor,
      gen_ai_request_model: model.slice(model.indexOf('/') + 1),
      gen_ai_operation_name: 'chat',
    };
    const failed = error === undefined ? {} : { error_type: error };
    this.#answers.record(seen.durationMs / 1000, { ...labels, ...failed, purpose });
    if (seen.firstMs !== undefined) this.#first.record(seen.firstMs / 1000, labels);
    this.#chunks.add(seen.chunks);
    const { inputTokens, outputTokens, cost } = usage;
    if (inputTokens !== undefined)
      this.#tokens.record(inputTokens, { ...labels, gen_ai_token_type: 'input' });
    if (outputTokens !== undefined)
      this.#tokens.record(outputTokens, { ...labels, gen_ai_token_type: 'output' });
    if (cost !== undefined) this.#cost.add(cost);
  }

  requestEnded(
    { method, serverType, transport }: McpRequestFact,
    durationMs: number,
    error: string | undefined,
  ): void {
    this.#requests.record(durationMs / 1000, {
      mcp_method_name: method,
      network_transport: transport,
      cerise_server_type: serverType,
      ...(error !== undefined && { error_type: error }),
    });
  }

  /** Everything in the text format of Prometheus, with what the host says of this moment. */
  write(gauges: readonly Series[]): string {
    const own = [this.#turns, this.#calls, this.#chunks, this.#cost, this.#tokens];
    const times = [this.#answers, this.#first, this.#requests];
    const parts = [...own, ...times, ...this.#process(), ...gauges];
    return parts.map((part) => part.write()).join('');
  }

  close(): void {
    this.#delay.disable();
  }

  /** The delay of the event loop is that since the last time somebody asked. */
  #process(): Series[] {
    const loop = gauge(
      'cerise_event_loop_delay_seconds',
      'Delay of the event loop since the last scrape.',
    );
    // Prometheus keeps the label `quantile` for summaries.
    for (const percentile of [50, 99, 100])
      loop.set(this.#delay.percentile(percentile) / 1e9, { percentile: String(percentile) });
    this.#delay.reset();
    const cpu = counter('process_cpu_seconds_total', 'CPU time of this process.');
    const { user, system } = process.cpuUsage();
    cpu.add((user + system) / 1e6);
    const memory = gauge('process_resident_memory_bytes', 'Resident memory of this process.');
    memory.set(process.memoryUsage.rss());
    const start = gauge('process_start_time_seconds', 'When this process started.');
    start.set(performance.timeOrigin / 1000);
    return [loop, cpu, memory, start];
  }
}

/** A metric that only grows. */
export function counter(name: string, help: string): Series {
  return new Series(name, 'counter', help);
}

/** A metric of this moment. */
export function gauge(name: string, help: string): Series {
  return new Series(name, 'gauge', help);
}
