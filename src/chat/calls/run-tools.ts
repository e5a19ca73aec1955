import { toErrorInfo } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { BlockPatch, EventBody } from '#shared/vocabulary/event.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { RecordedCall, Tool, TraceContext } from '#shared/vocabulary/tool.ts';
import { closeInputsOfCall } from '#store/calls/inputs.ts';
import { waitOfCall } from '#store/conversations/waits.ts';
import { getContinuation, insertToolCalls, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import { argumentsHash } from '#tools/policy/policy.ts';
import { citationsOf } from '#tools/results/citations.ts';
import { toPolicyCall } from '../policy/policy-tool.ts';
import type { BlockManager } from '../topic/block-manager.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { unknownOutcome } from './execute-call.ts';
import { deniedByPolicy, nobodyToAsk } from './refusals.ts';
import { refuseCall, type ProposedCall } from './refuse-call.ts';
import { type CallDeps, type CallPlace, endCall, type Run, runCall, wasSent } from './run-call.ts';

/** What the calls of a turn need of the host. */
export interface ToolDeps extends CallDeps {
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
  /** Nobody can be asked: what would need a person is refused. */
  unattended?: true | undefined;
  /** The trace of whoever asked the question. */
  caller?: TraceContext | undefined;
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
    for (const { record, hasSeat } of runs) if (hasSeat) round.limiter.release(record.serverId);
    throw error;
  }
  await fault('calls-recorded');
  await settleAll(runs.map((run) => runHere(round, run)));
}

function runHere(round: ToolRound, run: Run): Promise<void> {
  return runCall(round, topicPlace(round, run.record), run);
}

/** A call in a topic: its block shows everything that becomes of it. */
function topicPlace(round: ToolRound, record: ToolCallRecord): CallPlace {
  const { live, blocks, answerId, signal, unattended } = round;
  const { id, blockId = '' } = record;
  return {
    signal,
    unattended,
    model: live.message(answerId)?.model,
    caller: round.caller,
    commit: async (rows, shown) => {
      const events = shown ? [blocks.updateEvent(blockId, 'tool', shown)] : [];
      await live.commit({ events, ...(rows && { rows }) });
    },
    end: async (outcome, result, rows) => {
      const { state, reach, error, origins = [] } = outcome;
      const end = blocks.endEvent(blockId, toolBlockStatus[state], 'tool', {
        state,
        reach,
        approval: null,
        progress: null,
        ...(origins.length > 0 && { untrusted: true }),
        ...(result && { result }),
        ...(error && { error }),
      });
      const sources = outcome.result ? citationsOf(outcome.result) : [];
      await live.commit({
        events: [end, ...blocks.citeEvents(sources, blockId)],
        rows: async (tx) => {
          if (!(await rows(tx))) throw new Error(`call ${id} is over`);
        },
      });
      return true;
    },
    onProgress: (progress) => blocks.update(blockId, 'tool', { progress }),
    onDenied: () => blocks.forget(blockId),
    stays: () => true,
  };
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
      return wasSent(record)
        ? resumeSent(round, record, tool)
        : runHere(round, { record, tool, hasSeat: false });
    }),
  );
}

/** A parked call goes on from where it stands. Any other that was sent runs again only if it may. */
async function resumeSent(
  round: ToolRound,
  record: ToolCallRecord,
  tool: Tool | undefined,
): Promise<void> {
  const { id, owner, serverId, toolName, state } = record;
  const resume = await getContinuation(round.store.db, owner, id);
  const goesOn = state === 'parked' && resume !== undefined;
  if (!goesOn && !(await round.isSafeToRepeat?.(owner, serverId, toolName))) {
    const outcome = { reach: 'left', state: 'outcome_unknown', error: unknownOutcome } as const;
    return endCall(round, topicPlace(round, record), record, outcome, {
      waited: (tx, at) => waitOfCall(tx, id, at),
      close: (tx, at) => closeInputsOfCall(tx, id, at),
    });
  }
  const known = tool ?? (resume && round.parkedTool?.(record, round.live.topic));
  return runHere(round, { record, tool: known, hasSeat: false, resume });
}

async function prepare(
  round: ToolRound,
  call: ProposedCall,
  index: number,
): Promise<{ run: Run; patch: BlockPatch<'tool'> }> {
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
    ...(call.tool?.launchHash !== undefined && { launchHash: call.tool.launchHash }),
    state: 'proposed',
    createdAt: now(),
  };
  const refusal = refuseCall(call, argsHash, round);
  round.earlier.push({ modelToolName: call.modelToolName, argsHash });
  if (refusal || !call.tool) {
    const state = refusal?.code === 'denied' ? 'denied' : 'failed';
    const reach = 'never-left';
    Object.assign(record, { state, reach, error: refusal, endedAt: now() });
    return { run: { record, tool: call.tool, hasSeat: false }, patch: { reach, error: refusal } };
  }
  const { tool } = call;
  const recorded = tool.recorded?.(args, record.id);
  return recorded
    ? applyRecorded(round, record, tool, recorded)
    : applyVerdict(round, record, tool, args);
}

/** A call of a turn that is made again: it was judged when it was first made. */
function applyRecorded(
  { now }: ToolRound,
  record: ToolCallRecord,
  tool: Tool,
  { denied, edits, untrusted }: RecordedCall,
): { run: Run; patch: BlockPatch<'tool'> } {
  const run: Run = { record, tool, hasSeat: false, isJudged: true };
  const patch: BlockPatch<'tool'> = { argsHash: record.argsHash, ...(untrusted && { untrusted }) };
  if (denied) {
    const refused = { reach: 'never-left', error: denied } as const;
    Object.assign(record, { state: 'denied', ...refused, endedAt: now() });
    return { run, patch: { ...patch, ...refused } };
  }
  record.state = 'approved';
  if (!edits) return { run, patch };
  const proposedArguments = record.arguments;
  Object.assign(record, { arguments: edits, argsHash: argumentsHash(edits) });
  return {
    run,
    patch: { ...patch, arguments: edits, argsHash: record.argsHash, proposedArguments },
  };
}

async function applyVerdict(
  round: ToolRound,
  record: ToolCallRecord,
  tool: Tool,
  args: JsonObject,
): Promise<{ run: Run; patch: BlockPatch<'tool'> }> {
  const { id: topicId, owner } = round.live;
  const { answerId } = round;
  const verdict = await round.approvals.policy({
    ...toPolicyCall(tool, args),
    topicId,
    answerId,
    owner,
  });
  const { action, untrusted, ruleId: _, code: __, ...why } = verdict;
  record.rule = why.rule;
  const run: Run = { record, tool, hasSeat: false };
  const patch: BlockPatch<'tool'> = { argsHash: record.argsHash, ...(untrusted && { untrusted }) };
  const isUnasked = action === 'ask' && round.unattended === true;
  if (action === 'ask' && !isUnasked) return { run, patch: { ...patch, approval: why } };
  if (action !== 'allow') {
    const error = isUnasked ? nobodyToAsk : toErrorInfo(deniedByPolicy(verdict));
    const reach = 'never-left';
    Object.assign(record, { state: 'denied', reach, error, endedAt: round.now() });
    return { run, patch: { ...patch, reach, error } };
  }
  run.hasSeat = round.limiter.tryAcquire(tool.serverId);
  record.state = run.hasSeat ? 'dispatching' : 'approved';
  if (!run.hasSeat) return { run, patch };
  const startedAt = round.now();
  record.startedAt = startedAt;
  return { run, patch: { ...patch, startedAt } };
}

/** The block's side of a call's state: an end if the state is final, else an update. */
function stateEvents(
  round: ToolRound,
  record: ToolCallRecord,
  patch: BlockPatch<'tool'>,
): EventBody[] {
  const { blockId, state } = record;
  const changes: BlockPatch<'tool'> = { ...patch, state };
  if (record.endedAt === undefined)
    return [round.blocks.updateEvent(blockId ?? '', 'tool', changes)];
  return [round.blocks.endEvent(blockId ?? '', toolBlockStatus[state], 'tool', changes)];
}
