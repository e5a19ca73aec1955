import type { Limiter } from '#shared/async/limiter.ts';
import { errorInfo, type ErrorInfo, hintOf, messageOf } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import { type Citation, openToolStates, toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { HostEvent, BlockPatch, EventBody } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { BlobPort } from '#shared/vocabulary/ports.ts';
import {
  type PolicyCall,
  type PolicyVerdict,
  type Continuation,
  shutdownReason,
  type Tool,
  type ToolOutcome,
} from '#shared/vocabulary/tool.ts';
import {
  type ToolCallFields,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/calls/tool-calls.ts';
import type { Store, Db } from '#store/database/store.ts';
import { citationsOf } from '#tools/results/citations.ts';
import { toPolicyCall } from '../policy/policy-tool.ts';
import type { BlockManager } from '../topic/block-manager.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { approvedArguments } from './approvals.ts';
import type { CallOrigins } from './call-origins.ts';
import type { Decisions } from './decisions.ts';
import { executeCall, neverRan } from './execute-call.ts';
import { Parking, type ParkingPlace } from './parking.ts';
import type { RunningCalls } from './running-calls.ts';
import { storeResult } from './stored-results.ts';
import { traceOf } from './trace-context.ts';
import { untilStored } from './until-stored.ts';

/** A recorded call on its way. */
export interface Run {
  record: ToolCallRecord;
  tool: Tool | Pick<Tool, 'execute'> | undefined;
  /** A place at the server, taken when the call was recorded as dispatching. */
  hasPlace: boolean;
  /** Where a call goes on that an earlier process has sent. */
  resume?: Continuation | undefined;
}

/** Brings one recorded call to its end. */
export async function follow(round: ToolRound, run: Run): Promise<void> {
  const { record, tool } = run;
  if (record.endedAt !== undefined) return;
  const isParked = record.state === 'parked' && run.resume !== undefined;
  const signal = round.running.start(record.id, round.signal, {
    owner: record.owner,
    topicId: round.live.id,
    answerId: round.answerId,
    model: round.live.message(round.answerId)?.model,
    onParked: (asking) => parking.show(asking),
  });
  const parking = new Parking(parkingPlace(round, run, signal), record, isParked);
  try {
    if (record.state === 'proposed' && (await decided(round, run, signal)) === 'deny') {
      round.blocks.forget(record.blockId ?? '');
      return;
    }
    if (!tool)
      return await finish(round, record, {
        reach: sentBefore(record),
        state: 'failed',
        error: toolGone,
      });
    if (!run.hasPlace && !isParked) {
      await round.limiter.acquire(record.serverId, signal);
      run.hasPlace = true;
      const refused = await refusedNow(round, run);
      if (refused) return await finish(round, record, refused);
      await fault('before-dispatch');
      await dispatch(round, record);
    }
    await fault('dispatch-committed');
    const outcome = await execute(round, run, tool, { signal, parking });
    // Nobody ended this call: another process, or another host, goes on with it.
    if (parking.isKept && isShutdown(signal) && outcome.reach !== 'ended') return;
    await fault('result-arrived');
    await parking.end();
    await finish(round, record, outcome, (tx) => parking.closeInputs(tx, round.now()));
  } catch (error) {
    if (!signal.aborted) throw error;
    if (isShutdown(signal)) return;
    // What was sent ends with its answer, as one that may have happened.
    if (sentBefore(record) === 'left') throw error;
    await finish(round, record, { reach: 'never-left', state: 'cancelled', error: neverRan });
  } finally {
    if (run.hasPlace) round.limiter.release(record.serverId);
    round.running.end(record.id);
  }
}

/** How far a call came before it is run here. */
function sentBefore({ state }: ToolCallRecord): 'never-left' | 'left' {
  return state === 'dispatching' || state === 'parked' ? 'left' : 'never-left';
}

/** A call that waits gives its place at the server to others. */
function parkingPlace(round: ToolRound, run: Run, signal: AbortSignal): ParkingPlace {
  const { serverId, blockId = '' } = run.record;
  return {
    commit: (rows, shown) =>
      round.live.commit({
        events: shown ? [round.blocks.updateEvent(blockId, 'tool', { state: shown })] : [],
        ...(rows && { rows }),
      }),
    acquire: async () => {
      if (!run.hasPlace) await round.limiter.acquire(serverId, signal);
      run.hasPlace = true;
    },
    release: () => {
      if (run.hasPlace) round.limiter.release(serverId);
      run.hasPlace = false;
    },
  };
}

async function decided(
  { decisions, emit, live, answerId, policy, onWaiting }: ToolRound,
  { record, tool }: Run,
  signal: AbortSignal,
): Promise<'approve' | 'deny'> {
  const { owner, id: topicId } = live;
  const { id: toolCallId, serverId, toolName, arguments: args } = record;
  const facts = { toolCallId, topicId, serverId, toolName };
  const judge = isWhole(tool)
    ? () => policy({ ...toPolicyCall(tool, args), topicId, answerId, owner })
    : undefined;
  emit(owner, { type: 'tool-call-waiting', ...facts });
  try {
    const decision = decisions.wait(toolCallId, { owner, signal, ...(judge && { judge }) });
    onWaiting(owner, toolCallId);
    return await decision;
  } finally {
    emit(owner, { type: 'tool-call-decided', ...facts });
  }
}

/** How a call ends that may not run any more: what was sent before may have happened. */
async function refusedNow(
  { refusal }: ToolRound,
  { record, tool }: Run,
): Promise<ToolOutcome | undefined> {
  const error = isWhole(tool) ? await refusal(record, tool) : undefined;
  if (!error) return undefined;
  if (sentBefore(record) === 'never-left') return { reach: 'never-left', state: 'denied', error };
  const message = say(
    'may-have-happened',
  )`It may have happened before, and may not be repeated. ${messageOf(error)}`;
  const { details } = error;
  const told = { hint: hintOf(error), details };
  const unknown = errorInfo('outcome_unknown', message, told);
  return { reach: 'left', state: 'outcome_unknown', error: unknown };
}

function isWhole(tool: Run['tool']): tool is Tool {
  return tool !== undefined && 'serverId' in tool;
}

const toolGone: ErrorInfo = errorInfo(
  'tool_not_found',
  say('tool-gone')`The tool is no longer there.`,
  { hint: say('tool-gone-hint')`Its server may have been removed, disabled or changed.` },
);

function isShutdown(signal: AbortSignal): boolean {
  return signal.reason === shutdownReason;
}

async function dispatch(round: ToolRound, record: ToolCallRecord): Promise<void> {
  const startedAt = round.now();
  const fields = { startedAt };
  const wasSent = sentBefore(record) === 'left';
  const patch: BlockPatch<'tool'> = { state: 'dispatching', approval: null, startedAt };
  await round.live.commit({
    events: [round.blocks.updateEvent(record.blockId ?? '', 'tool', patch)],
    rows: async (tx) => {
      await mustMove(tx, record, [wasSent ? record.state : 'approved'], 'dispatching', fields);
      if (record.state === 'proposed') Object.assign(record, await approvedArguments(tx, record));
    },
  });
  record.state = 'dispatching';
}

async function mustMove(
  tx: Db,
  record: ToolCallRecord,
  from: ToolCallRecord['state'][],
  to: ToolCallRecord['state'],
  fields: ToolCallFields,
): Promise<void> {
  const moved = await transitionToolCall(tx, record.id, from, to, fields);
  if (!moved) throw new Error(`call ${record.id} is not ${from.join(' or ')}`);
}

async function execute(
  round: ToolRound,
  { record, resume }: Run,
  tool: NonNullable<Run['tool']>,
  { signal, parking }: { signal: AbortSignal; parking: Parking },
): Promise<ToolOutcome> {
  if (!resume) await round.origins.sending(record, tool);
  const outcome = await executeCall(
    tool,
    record.arguments,
    {
      callId: record.id,
      signal,
      onProgress: (progress) => round.blocks.update(record.blockId ?? '', 'tool', { progress }),
      trace: traceOf(record.answerId ?? record.id, record.id),
      onParked: (continuation) => parking.park(continuation),
      onUnparked: () => parking.unpark(),
      origins: () => round.origins.before(record),
      ...(resume && { resume }),
    },
    round.limits.storedResult,
  );
  const received = () => round.origins.received(record, tool, outcome);
  const origins = await untilStored(received, round.signal);
  if (!origins) throw new Error('the host ends before it is known what this brings');
  return { ...outcome, origins };
}

/** Records the outcome, once, with what it brings: the block's end and the sources it gave. */
export async function finish(
  round: ToolRound,
  record: ToolCallRecord,
  outcome: ToolOutcome,
  alsoRows?: (tx: Db) => Promise<void>,
): Promise<void> {
  const { state, reach, error, origins = [] } = outcome;
  const { owner, id: topicId } = round.live;
  const place = { owner, topicId, origins };
  const result = outcome.result && (await storeResult(outcome.result, round, place));
  const endedAt = round.now();
  const end = round.blocks.endEvent(record.blockId ?? '', toolBlockStatus[state], 'tool', {
    state,
    reach,
    approval: null,
    progress: null,
    ...(origins.length > 0 && { untrusted: true }),
    ...(result && { result }),
    ...(error && { error }),
  });
  await round.live.commit({
    events: [end, ...citationEvents(round, record, outcome)],
    rows: async (tx) => {
      await mustMove(tx, record, openToolStates, state, {
        result,
        error,
        reach,
        endedAt,
        continuation: null,
      });
      await alsoRows?.(tx);
    },
  });
  await fault('outcome-committed');
}

function citationEvents(
  round: ToolRound,
  record: ToolCallRecord,
  outcome: ToolOutcome,
): EventBody[] {
  const sources = outcome.result ? citationsOf(outcome.result) : [];
  if (sources.length === 0) return [];
  const citations: Citation[] = sources.map((source) => ({
    ...source,
    number: (round.citationCount += 1),
  }));
  return round.blocks.addEvents({
    type: 'citation',
    status: 'success',
    citations,
    toolBlockId: record.blockId,
  });
}

/** What running calls needs of the host. */
export interface ToolDeps {
  store: Store;
  blobs: BlobPort;
  limits: Limits;
  policy: (call: PolicyCall) => Promise<PolicyVerdict>;
  /** Why a call that waited may not run any more; undefined if it may. */
  refusal: (record: ToolCallRecord, tool: Tool) => Promise<ErrorInfo | undefined>;
  decisions: Decisions;
  origins: CallOrigins;
  /** Told when a call begins to wait, which it may not need to any more. */
  onWaiting: (owner: string, toolCallId: string) => void;
  limiter: Limiter;
  running: RunningCalls;
  emit: (owner: string, event: HostEvent) => void;
  now: () => number;
  /** Runs the tool of a parked call, whether its server lists it right now or not. */
  parkedTool?: (record: ToolCallRecord, topic: Topic) => Pick<Tool, 'execute'>;
  /** Whether a call that may have run may run again; absent: none may. */
  isSafeToRepeat?: (
    owner: string,
    serverId: string,
    toolName: string,
  ) => boolean | Promise<boolean>;
}

/** What the calls of one round run with. */
export interface ToolRound extends ToolDeps {
  live: LiveTopic;
  blocks: BlockManager;
  answerId: string;
  round: number;
  signal: AbortSignal;
  /** Calls that came before in this turn, for the limits. */
  earlier: { modelToolName: string; argsHash: string }[];
  citationCount: number;
}
