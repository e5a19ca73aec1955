import type { CallRef, Telemetry } from '#shared/telemetry/telemetry.ts';
import type { CallStep, CallTimes, TraceContext } from '#shared/vocabulary/tool.ts';
import type { ToolCallRecord } from '#store/calls/tool-calls.ts';

interface CallWatchDeps {
  telemetry?: Telemetry | undefined;
  now: () => number;
}

type CallEnd = Pick<ToolCallRecord, 'state' | 'error' | 'result'>;

/** Tells of a call while it runs, and notes in its record when it got how far. */
export class CallWatch {
  readonly #deps: CallWatchDeps;
  readonly #record: ToolCallRecord;
  readonly #caller: TraceContext | undefined;
  readonly #ref: CallRef;

  constructor(deps: CallWatchDeps, record: ToolCallRecord, caller: TraceContext | undefined) {
    const { id: toolCallId, topicId, answerId, serverId, serverName, toolName } = record;
    this.#deps = deps;
    this.#record = record;
    this.#caller = caller;
    this.#ref = { toolCallId, topicId, answerId, serverId, serverName, toolName };
  }

  /** A person is asked. */
  waiting(): void {
    this.#deps.telemetry?.callStepped(this.#ref, 'waiting');
  }

  approved(at: number): void {
    this.#deps.telemetry?.callStepped(this.#ref, 'approved', at - this.#record.createdAt);
  }

  /** Only the first time of each step counts; a connection is opened once, whoever waits for it. */
  stepped(step: CallStep): void {
    const { times } = this.#record;
    const name = stepTimes[step];
    if (times?.[name] !== undefined || (step === 'connected' && !times?.connectingAt)) return;
    const at = this.#note(name);
    const since = step === 'connected' ? times?.connectingAt : undefined;
    this.#deps.telemetry?.callStepped(
      this.#ref,
      step,
      since === undefined ? undefined : at - since,
    );
  }

  progressed(): void {
    if (this.#record.times?.progressAt === undefined) this.#note('progressAt');
  }

  ended({ state, error, result }: CallEnd, endedAt: number): void {
    const record = this.#record;
    const { round, createdAt, decidedAt } = record;
    this.#deps.telemetry?.callEnded({
      ...this.#ref,
      round,
      state,
      createdAt,
      decidedAt,
      endedAt,
      caller: this.#caller,
      error: error?.code ?? (result?.isError ? 'tool_error' : undefined),
      content: () => ({ arguments: record.arguments, result }),
    });
  }

  #note(name: keyof CallTimes): number {
    const at = this.#deps.now();
    this.#record.times = { ...this.#record.times, [name]: at };
    return at;
  }
}

const stepTimes = {
  connecting: 'connectingAt',
  connected: 'connectedAt',
  sent: 'sentAt',
} as const satisfies Record<CallStep, keyof CallTimes>;
