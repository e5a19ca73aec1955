import { type Citation, toolBlockStatus } from '#shared/block.ts';
import type { BlockPatch, EventBody, HostEvent } from '#shared/event.ts';
import type { ErrorInfo } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import type { BlobPort } from '#shared/ports.ts';
import type { PolicyCall, PolicyVerdict, Tool, ToolOutcome } from '#shared/tool.ts';
import type { Db } from '#store/store.ts';
import { insertToolCalls, type ToolCallRecord, transitionToolCall } from '#store/tool-calls.ts';
import { citationsOf } from '#tools/citations.ts';
import { argumentsHash } from '#tools/policy.ts';
import type { BlockManager } from './block-manager.ts';
import type { Decisions } from './decisions.ts';
import { executeCall } from './execute-call.ts';
import type { Limiter } from './limiter.ts';
import type { LiveTopic } from './live-topic.ts';
import { Parking } from './parking.ts';
import { refuseCall } from './refuse-call.ts';
import type { RunningCalls } from './running-calls.ts';
import type { ProposedCall } from './stream-processor.ts';
import { storeLarge } from './stored-results.ts';
import { traceOf } from './trace-context.ts';

/** What running calls needs of the host. */
export interface ToolDeps {
  blobs: BlobPort;
  policy: (call: PolicyCall) => Promise<PolicyVerdict>;
  decisions: Decisions;
  limiter: Limiter;
  running: RunningCalls;
  emit: (owner: string, event: HostEvent) => void;
  now: () => number;
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

interface Run {
  record: ToolCallRecord;
  tool: Tool | undefined;
  /** A place at the server, taken when the call was recorded as dispatching. */
  hasPlace: boolean;
}

/**
 * Runs the calls of one round: each is judged, recorded, approved where the policy asks, and run in
 * parallel; its intent is durable before a byte leaves, its outcome before this resolves.
 */
export async function runTools(round: ToolRound, calls: ProposedCall[]): Promise<void> {
  const runs: Run[] = [];
  const events: EventBody[] = [];
  try {
    for (const [index, call] of calls.entries()) {
      const { run, patch } = await prepare(round, call, index);
      runs.push(run);
      events.push(...stateEvents(round, run.record, patch));
    }
    await round.live.commit({
      events,
      rows: (tx) =>
        insertToolCalls(
          tx,
          runs.map(({ record }) => record),
        ),
    });
  } catch (error) {
    for (const { record, hasPlace } of runs) if (hasPlace) round.limiter.release(record.serverId);
    throw error;
  }
  await settleAll(runs.map((run) => follow(round, run)));
}

/** Waits for every call, so that none still runs when the first failure is thrown. */
async function settleAll(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Goes on with calls that an earlier process had recorded but not finished. */
export async function resumeTools(
  round: ToolRound,
  records: ToolCallRecord[],
  findTool: (modelToolName: string) => Tool | undefined,
  modelToolName: (record: ToolCallRecord) => string,
): Promise<void> {
  await settleAll(
    records.map(async (record) => {
      const tool = findTool(modelToolName(record));
      // A parked call too: the session its server asked in is gone with the process.
      if (record.state === 'dispatching' || record.state === 'parked')
        return finish(round, record, { state: 'outcome_unknown', error: lostOutcome });
      return follow(round, { record, tool, hasPlace: false });
    }),
  );
}

const lostOutcome: ErrorInfo = {
  code: 'outcome_unknown',
  message: 'Cerise was ended while this call ran; whether it happened is not known.',
  hint: 'Check before you repeat it.',
};

async function prepare(
  round: ToolRound,
  call: ProposedCall,
  index: number,
): Promise<{ run: Run; patch: BlockPatch }> {
  const { live, now } = round;
  const args = call.arguments ?? {};
  const argsHash = argumentsHash(args);
  const record: ToolCallRecord = {
    id: call.toolCallId,
    owner: live.owner,
    topicId: live.id,
    answerId: round.answerId,
    blockId: call.blockId,
    round: round.round,
    index,
    callId: call.callId,
    serverId: call.tool?.serverId ?? '',
    serverName: call.tool?.serverName ?? '',
    toolName: call.tool?.toolName ?? call.modelToolName,
    arguments: args,
    argsHash,
    state: 'proposed',
    createdAt: now(),
  };
  const refusal = refuseCall(call, argsHash, round.earlier);
  round.earlier.push({ modelToolName: call.modelToolName, argsHash });
  if (refusal || !call.tool) {
    const state = refusal?.code === 'denied' ? 'denied' : 'failed';
    Object.assign(record, { state, error: refusal, endedAt: now() });
    return { run: { record, tool: call.tool, hasPlace: false }, patch: { error: refusal } };
  }
  return applyVerdict(round, record, call.tool, args);
}

async function applyVerdict(
  round: ToolRound,
  record: ToolCallRecord,
  tool: Tool,
  args: JsonObject,
): Promise<{ run: Run; patch: BlockPatch }> {
  const { serverId, toolName, trusted, autoApproved, annotations } = tool;
  const verdict = await round.policy({
    serverId,
    toolName,
    trusted,
    autoApproved,
    annotations,
    arguments: args,
    topicId: round.live.id,
    owner: round.live.owner,
  });
  record.rule = verdict.rule;
  const run: Run = { record, tool, hasPlace: false };
  const patch: BlockPatch = { argsHash: record.argsHash };
  if (verdict.action === 'ask')
    return { run, patch: { ...patch, approval: { rule: verdict.rule } } };
  if (verdict.action === 'deny') {
    const error: ErrorInfo = {
      code: 'denied',
      message: `This call is not allowed: ${verdict.rule}.`,
    };
    Object.assign(record, { state: 'denied', error, endedAt: round.now() });
    return { run, patch: { ...patch, error } };
  }
  run.hasPlace = round.limiter.tryAcquire(tool.serverId);
  record.state = run.hasPlace ? 'dispatching' : 'approved';
  if (!run.hasPlace) return { run, patch };
  const startedAt = round.now();
  record.startedAt = startedAt;
  return { run, patch: { ...patch, startedAt } };
}

/** The block's side of a call's state: an end if the state is final, else an update. */
function stateEvents(round: ToolRound, record: ToolCallRecord, patch: BlockPatch): EventBody[] {
  const { blockId, state } = record;
  const changes: BlockPatch = { ...patch, state };
  if (record.endedAt === undefined) return [round.blocks.updateEvent(blockId ?? '', changes)];
  return [round.blocks.endEvent(blockId ?? '', toolBlockStatus[state], changes)];
}

/** Brings one recorded call to its end. */
async function follow(round: ToolRound, run: Run): Promise<void> {
  const { record, tool } = run;
  if (record.endedAt !== undefined) return;
  const parking = new Parking(round, record);
  const signal = round.running.start(record.id, round.signal, {
    topicId: round.live.id,
    answerId: round.answerId,
    model: round.live.message(round.answerId)?.model,
    onParked: (parked) => parking.set(parked),
  });
  try {
    if (record.state === 'proposed' && (await decided(round, record, signal)) === 'deny') {
      round.blocks.forget(record.blockId ?? '');
      return;
    }
    if (!tool) return await finish(round, record, { state: 'failed', error: toolGone });
    if (!run.hasPlace) {
      await round.limiter.acquire(record.serverId, signal);
      run.hasPlace = true;
      await dispatch(round, record);
    }
    const outcome = await execute(round, record, tool, signal);
    await parking.end();
    await finish(round, record, outcome);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (isShutdown(signal)) return;
    const error_: ErrorInfo = {
      code: 'cancelled',
      message: 'The call was cancelled before it ran.',
    };
    await finish(round, record, { state: 'cancelled', error: error_ });
  } finally {
    if (run.hasPlace) round.limiter.release(record.serverId);
    round.running.end(record.id);
  }
}

async function decided(
  { decisions, emit, live }: ToolRound,
  { id: toolCallId }: ToolCallRecord,
  signal: AbortSignal,
): Promise<'approve' | 'deny'> {
  emit(live.owner, { type: 'tool-call-waiting', toolCallId, topicId: live.id });
  try {
    return await decisions.wait(toolCallId, signal);
  } finally {
    emit(live.owner, { type: 'tool-call-decided', toolCallId, topicId: live.id });
  }
}

const toolGone: ErrorInfo = {
  code: 'tool_not_found',
  message: 'The tool is no longer there.',
  hint: 'Its server may have been removed, disabled or changed.',
};

/** The host ends but the answer does not: it goes on at the next start. */
export const shutdownReason = new Error('the host is shutting down');

function isShutdown(signal: AbortSignal): boolean {
  return signal.reason === shutdownReason;
}

async function dispatch(round: ToolRound, record: ToolCallRecord): Promise<void> {
  const startedAt = round.now();
  const patch: BlockPatch = { state: 'dispatching', approval: null, startedAt };
  await round.live.commit({
    events: [round.blocks.updateEvent(record.blockId ?? '', patch)],
    rows: (tx) => mustMove(tx, record, ['approved'], 'dispatching', { startedAt }),
  });
  record.state = 'dispatching';
}

async function mustMove(
  tx: Db,
  record: ToolCallRecord,
  from: ToolCallRecord['state'][],
  to: ToolCallRecord['state'],
  fields: Partial<ToolCallRecord>,
): Promise<void> {
  const moved = await transitionToolCall(tx, record.id, from, to, fields);
  if (!moved) throw new Error(`call ${record.id} is not ${from.join(' or ')}`);
}

async function execute(
  round: ToolRound,
  record: ToolCallRecord,
  tool: Tool,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  return executeCall(tool, record.arguments, {
    callId: record.id,
    signal,
    onProgress: (progress) => round.blocks.update(record.blockId ?? '', { progress }),
    trace: traceOf(record.answerId ?? record.id, record.id),
  });
}

/** Records the outcome, once, with what it brings: the block's end and the sources it gave. */
async function finish(
  round: ToolRound,
  record: ToolCallRecord,
  outcome: ToolOutcome,
): Promise<void> {
  const { state, error } = outcome;
  const { owner, id: topicId } = round.live;
  const result =
    outcome.result && (await storeLarge(outcome.result, round.blobs, { owner, topicId }));
  const endedAt = round.now();
  const end = round.blocks.endEvent(record.blockId ?? '', toolBlockStatus[state], {
    state,
    approval: null,
    progress: null,
    ...(result && { result }),
    ...(error && { error }),
  });
  await round.live.commit({
    events: [end, ...citationEvents(round, record, outcome)],
    rows: (tx) =>
      mustMove(tx, record, ['proposed', 'approved', 'dispatching', 'parked'], state, {
        result,
        error,
        endedAt,
      }),
  });
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
