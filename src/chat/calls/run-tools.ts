import { toErrorInfo } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { BlockPatch, EventBody } from '#shared/vocabulary/event.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { closeInputsOfCall } from '#store/calls/inputs.ts';
import { getContinuation, insertToolCalls, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import type { Db } from '#store/database/store.ts';
import { argumentsHash } from '#tools/policy/policy.ts';
import { toPolicyCall } from '../policy/policy-tool.ts';
import { lostOutcome } from './execute-call.ts';
import { type ToolRound, finish, follow, type Run } from './follow-call.ts';
import { deniedByPolicy } from './look-again.ts';
import { refuseCall, type ProposedCall } from './refuse-call.ts';

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
  await fault('calls-recorded');
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
      const wasSent = record.state === 'dispatching' || record.state === 'parked';
      return wasSent
        ? resumeSent(round, record, tool)
        : follow(round, { record, tool, hasPlace: false });
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
    const closeInputs = (tx: Db) => closeInputsOfCall(tx, id, round.now());
    const outcome = { reach: 'left', state: 'outcome_unknown', error: lostOutcome } as const;
    return finish(round, record, outcome, closeInputs);
  }
  const known = tool ?? (resume && round.parkedTool?.(record, round.live.topic));
  return follow(round, { record, tool: known, hasPlace: false, resume });
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
    return { run: { record, tool: call.tool, hasPlace: false }, patch: { reach, error: refusal } };
  }
  return applyVerdict(round, record, call.tool, args);
}

async function applyVerdict(
  round: ToolRound,
  record: ToolCallRecord,
  tool: Tool,
  args: JsonObject,
): Promise<{ run: Run; patch: BlockPatch<'tool'> }> {
  const { id: topicId, owner } = round.live;
  const { answerId } = round;
  const verdict = await round.policy({ ...toPolicyCall(tool, args), topicId, answerId, owner });
  const { action, untrusted, ruleId: _, code: __, ...why } = verdict;
  record.rule = why.rule;
  const run: Run = { record, tool, hasPlace: false };
  const patch: BlockPatch<'tool'> = { argsHash: record.argsHash, ...(untrusted && { untrusted }) };
  if (action === 'ask') return { run, patch: { ...patch, approval: why } };
  if (action === 'deny') {
    const error = toErrorInfo(deniedByPolicy(verdict));
    const reach = 'never-left';
    Object.assign(record, { state: 'denied', reach, error, endedAt: round.now() });
    return { run, patch: { ...patch, reach, error } };
  }
  run.hasPlace = round.limiter.tryAcquire(tool.serverId);
  record.state = run.hasPlace ? 'dispatching' : 'approved';
  if (!run.hasPlace) return { run, patch };
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
