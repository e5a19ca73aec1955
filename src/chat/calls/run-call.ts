import type { Limiter } from '#shared/async/limiter.ts';
import { errorInfo, hintOf, messageOf } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import { openToolStates } from '#shared/vocabulary/block.ts';
import type { BlockPatch } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { BlobPort } from '#shared/vocabulary/ports.ts';
import type { Telemetry } from '#shared/telemetry/telemetry.ts';
import {
  type Continuation,
  shutdownReason,
  type Tool,
  type ToolOutcome,
  type ToolProgress,
  type ToolResult,
  type TraceContext,
} from '#shared/vocabulary/tool.ts';
import { type ToolCallRecord, transitionToolCall } from '#store/calls/tool-calls.ts';
import { waitOfUnstarted } from '#store/conversations/waits.ts';
import type { Db, Store } from '#store/database/store.ts';
import { type Approvals, approvedArguments } from './approvals.ts';
import type { CallAsker } from './asker.ts';
import { deniedByPerson } from './call-decision.ts';
import type { CallOrigins } from './call-origins.ts';
import { CallWatch } from './call-watch.ts';
import { executeCall, neverRan } from './execute-call.ts';
import { Parking } from './parking.ts';
import type { RunningCalls } from './running-calls.ts';
import { storeResult } from './stored-results.ts';
import { traceOf } from '../telemetry/trace-context.ts';
import { untilStored } from './until-stored.ts';

/** What a call needs of the host, wherever it lives. */
export interface CallDeps {
  store: Store;
  blobs: BlobPort;
  limits: Limits;
  approvals: Pick<Approvals, 'policy' | 'wait' | 'refusal' | 'get'>;
  origins: Pick<CallOrigins, 'before' | 'sending' | 'received'>;
  limiter: Limiter;
  running: RunningCalls;
  /** Hears of every outcome; absent: nobody does. */
  telemetry?: Telemetry | undefined;
  now: () => number;
}

/** Where a call lives: in a topic, whose viewers see it, or in nothing but its row. */
export interface CallPlace {
  /** Aborted when what the call belongs to ends. */
  signal: AbortSignal;
  /** Aborted when whoever made the call wants it no more. */
  calledOff?: AbortSignal | undefined;
  /** Nobody can be asked: questions of its server are declined. */
  unattended?: true | undefined;
  /** The model that asked for it. */
  model?: string | undefined;
  /** The trace of whoever asked for it. */
  caller?: TraceContext | undefined;
  /** Commits a change of the row together with what is shown of it; fails where another host has the call. */
  commit(
    rows: ((tx: Db) => Promise<unknown>) | undefined,
    shown?: BlockPatch<'tool'>,
  ): Promise<void>;
  /**
   * Commits the end of the row, which says whether it was still open, with what is shown: `result` is the stored one.
   * True where the row is certain to be what was written.
   */
  end(
    outcome: ToolOutcome,
    result: ToolResult | undefined,
    rows: (tx: Db) => Promise<boolean>,
  ): Promise<boolean>;
  onProgress(progress: ToolProgress): void;
  /** Who answers what the server asks, where that is no person in Cerise. */
  asker?: CallAsker | undefined;
  /** A decision has ended the call, and shown that. */
  onDenied(): void;
  /** Whether the call, which was not sent yet, waits for another process where this one ends. */
  stays(record: ToolCallRecord): boolean;
}

/** A tool, or all that is known of one that is gone on with after a restart. */
export type AnyTool = Tool | Pick<Tool, 'execute'>;

/** A recorded call on its way. */
export interface Run {
  record: ToolCallRecord;
  /** Absent: it is looked for once it is needed. */
  tool: AnyTool | undefined;
  find?: () => Promise<Tool>;
  /** A seat at the server, taken when the call was recorded as dispatching. */
  hasSeat: boolean;
  /** It was judged a moment ago: nothing has to be looked at again. */
  isJudged?: boolean;
  /** Where a call goes on that an earlier process has sent. */
  resume?: Continuation | undefined;
}

/**
 * The life of one recorded call. It waits for a person where it must, takes a seat at its server, is looked at once
 * more, is sent, and ends with one outcome. A server gets it at most once, because:
 *
 * 1. Nothing is sent before the row is durably `dispatching`. `dispatch` moves it there from `approved`, and of two who
 *    try one gets `CallTaken`; a call that may run at once is recorded as `dispatching` from the start (`hasSeat`).
 * 2. From then on it may have happened (`wasSent`). What cuts it leaves the row to the next process, or ends it with
 *    the reach `left`; `never-left` is said only where nothing of it went out.
 * 3. What an earlier process has sent comes here only to go on (`resume`), or to be repeated where an admin said that
 *    it may. Any other is ended as `outcome_unknown` (`resumeSent`, `resumeDirectCalls`).
 * 4. One host has the call: that of its topic's lease, or its `ownerInstance`. Writes of any other change nothing.
 */
export async function runCall(deps: CallDeps, place: CallPlace, run: Run): Promise<void> {
  const { record } = run;
  const watch = new CallWatch(deps, record, place.caller);
  if (record.endedAt !== undefined) return watch.ended(record, record.endedAt);
  const { id, serverId } = record;
  const isParked = record.state === 'parked' && run.resume !== undefined;
  const signal = startRunning(deps, place, record, (asking) => parking.show(asking));
  const seat = new Seat(deps.limiter, serverId, run.hasSeat, signal);
  const parking = new Parking(
    {
      commit: (rows, shown) => place.commit(rows, shown && { state: shown }),
      acquire: () => seat.take(),
      release: () => seat.giveUp(),
    },
    record,
    isParked,
  );
  try {
    if (record.state === 'proposed' && (await decided(deps, run, signal, watch)) === 'deny') {
      watch.ended({ state: 'denied', error: deniedByPerson }, deps.now());
      return place.onDenied();
    }
    const tool = run.tool ?? (await run.find?.());
    if (!tool) return await endCall(deps, place, record, toolGone(record));
    // With a seat it is `dispatching` already; a parked one was sent, and takes a seat when it is sent on.
    if (!seat.isTaken && !isParked) {
      await seat.take();
      const refused = run.isJudged ? undefined : await refusedNow(deps, record, tool);
      if (refused) return await endCall(deps, place, record, refused);
      await fault('before-dispatch');
      await dispatch(deps, place, record);
    }
    await fault('dispatch-committed');
    const outcome = await execute(deps, place, run, tool, { signal, parking, watch });
    // The host ends, not the call: the next process goes on with what is parked, and cannot know of the rest.
    if (!outcome || (parking.isKept && isShutdown(signal) && outcome.reach !== 'ended')) return;
    await fault('result-arrived');
    await parking.end();
    await endCall(deps, place, record, outcome, parking);
  } catch (error) {
    if (!signal.aborted) throw error;
    // The next process finds the row, and tells by it whether anything was sent.
    if (isShutdown(signal) && (wasSent(record) || place.stays(record))) return;
    // The caller ends it, as one that may have happened.
    if (wasSent(record)) throw error;
    await endCall(deps, place, record, {
      reach: 'never-left',
      state: 'cancelled',
      error: neverRan,
    });
  } finally {
    seat.giveUp();
    deps.running.end(id);
  }
}

/** The signal it runs under: its own, that of what it belongs to, and that of whoever made it. */
function startRunning(
  { running }: CallDeps,
  { signal, calledOff, model, asker, unattended }: CallPlace,
  { id, owner, topicId, answerId }: ToolCallRecord,
  onParked: (asking: boolean) => void,
): AbortSignal {
  const parents = calledOff ? [signal, calledOff] : [signal];
  const place = { owner, topicId, answerId, model, asker, unattended, onParked };
  return running.start(id, parents, place);
}

/** One of the places that a server has for calls at once; a call that waits for a person gives it to others. */
class Seat {
  readonly #limiter: Limiter;
  readonly #serverId: string;
  readonly #signal: AbortSignal;
  isTaken: boolean;

  constructor(limiter: Limiter, serverId: string, isTaken: boolean, signal: AbortSignal) {
    this.#limiter = limiter;
    this.#serverId = serverId;
    this.#signal = signal;
    this.isTaken = isTaken;
  }

  async take(): Promise<void> {
    if (!this.isTaken) await this.#limiter.acquire(this.#serverId, this.#signal);
    this.isTaken = true;
  }

  giveUp(): void {
    if (this.isTaken) this.#limiter.release(this.#serverId);
    this.isTaken = false;
  }
}

function isShutdown(signal: AbortSignal): boolean {
  return signal.reason === shutdownReason;
}

/** Whether a call may have reached its server. */
export function wasSent({ state }: Pick<ToolCallRecord, 'state'>): boolean {
  return state === 'dispatching' || state === 'parked';
}

function isWhole(tool: AnyTool | undefined): tool is Tool {
  return tool !== undefined && 'serverId' in tool;
}

/** What a person says of a call that waits, or the policy as it is by now. */
async function decided(
  { approvals, now }: CallDeps,
  { record, tool, find }: Run,
  signal: AbortSignal,
  watch: CallWatch,
): Promise<'approve' | 'deny'> {
  const findWhole = async () => (isWhole(tool) ? tool : find?.());
  watch.waiting();
  const decision = await approvals.wait(record, findWhole, signal);
  record.decidedAt ??= now();
  if (decision === 'approve') watch.approved(record.decidedAt);
  return decision;
}

/** How a call ends that may not run any more: what was sent before may have happened. */
async function refusedNow(
  { approvals }: CallDeps,
  record: ToolCallRecord,
  tool: AnyTool,
): Promise<ToolOutcome | undefined> {
  const error = isWhole(tool) ? await approvals.refusal(record, tool) : undefined;
  if (!error) return undefined;
  if (!wasSent(record)) return { reach: 'never-left', state: 'denied', error };
  const message = say(
    'may-have-happened',
  )`It may already have run, and it isn't safe to retry. ${messageOf(error)}`;
  const { details } = error;
  const unknown = errorInfo('outcome_unknown', message, { hint: hintOf(error), details });
  return { reach: 'left', state: 'outcome_unknown', error: unknown };
}

function toolGone(record: ToolCallRecord): ToolOutcome {
  const error = errorInfo('tool_not_found', say('tool-gone')`This tool is no longer available.`, {
    hint: say('tool-gone-hint')`Its server may have been removed, disabled or changed.`,
  });
  return { reach: wasSent(record) ? 'left' : 'never-left', state: 'failed', error };
}

/** The intent, durable before the first byte leaves. Throws `CallTaken` where the row is not as it was left. */
async function dispatch(deps: CallDeps, place: CallPlace, record: ToolCallRecord): Promise<void> {
  const startedAt = deps.now();
  // One that is repeated is `dispatching` already: this moves its start.
  const from = wasSent(record) ? record.state : 'approved';
  const { id, ownerInstance } = record;
  const rows = async (tx: Db) => {
    const fields = { startedAt };
    if (!(await transitionToolCall(tx, id, [from], 'dispatching', fields, ownerInstance)))
      throw new CallTaken(id);
    // The person who approved may have edited them.
    if (record.state === 'proposed') Object.assign(record, await approvedArguments(tx, record));
  };
  await place.commit(rows, { state: 'dispatching', approval: null, startedAt });
  Object.assign(record, { state: 'dispatching', startedAt });
}

/** Somebody else has the call, or ended it: it is not run here. */
export class CallTaken extends Error {
  constructor(toolCallId: string) {
    super(`call ${toolCallId} is no longer approved`);
  }
}

/** Undefined where the host ends before what came back could be looked at. */
async function execute(
  deps: CallDeps,
  place: CallPlace,
  { record, resume }: Run,
  tool: AnyTool,
  { signal, parking, watch }: { signal: AbortSignal; parking: Parking; watch: CallWatch },
): Promise<ToolOutcome | undefined> {
  const { origins } = deps;
  if (!resume) await origins.sending(record, tool);
  const outcome = await executeCall(
    tool,
    record.arguments,
    {
      callId: record.id,
      signal,
      onProgress: (progress) => {
        watch.progressed();
        place.onProgress(progress);
      },
      // How one that an earlier process sent got to its server is over.
      ...(!resume && { onStep: (step) => watch.stepped(step) }),
      trace: traceOf(record.answerId ?? record.id, record.id, place.caller),
      onParked: (continuation) => parking.park(continuation),
      onUnparked: () => parking.unpark(),
      origins: () => origins.before(record),
      ...(resume && { resume }),
    },
    deps.limits.storedResult,
  );
  const received = await untilStored(() => origins.received(record, tool, outcome), place.signal);
  return received && { ...outcome, origins: received };
}

/** What a call asked a person before its end. */
interface CallQuestions {
  /** For how long; undefined where nothing was asked. */
  waited(tx: Db, at: number): Promise<number | undefined>;
  close(tx: Db, at: number): Promise<void>;
}

/**
 * Records the outcome of a call that is still open, with what it brings, in its row and, once that is certain, in the
 * record; done twice, it changes nothing.
 */
export async function endCall(
  deps: CallDeps,
  place: CallPlace,
  record: ToolCallRecord,
  outcome: ToolOutcome,
  questions?: CallQuestions,
): Promise<void> {
  const { state, reach, error, origins = [] } = outcome;
  const { id, owner, topicId, ownerInstance } = record;
  const where = { owner, ...(topicId === undefined ? { callId: id } : { topicId }), origins };
  const result = outcome.result && (await storeResult(outcome.result, deps, where));
  const endedAt = deps.now();
  const end = { result, error, reach, endedAt };
  let hasEnded = false;
  const isStored = await place.end(outcome, result, async (tx) => {
    const waitedMs = wasSent(record)
      ? await questions?.waited(tx, endedAt)
      : waitOfUnstarted(record.createdAt, endedAt);
    const { times } = record;
    const fields = { ...end, waitedMs, times, continuation: null };
    const isMoved = await transitionToolCall(tx, id, openToolStates, state, fields, ownerInstance);
    if (isMoved) await questions?.close(tx, endedAt);
    hasEnded ||= isMoved;
    return isMoved;
  });
  if (isStored) Object.assign(record, end, { state });
  if (hasEnded) new CallWatch(deps, record, place.caller).ended(outcome, endedAt);
  await fault('outcome-committed');
}
