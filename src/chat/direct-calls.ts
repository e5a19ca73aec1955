import { randomUUIDv7 } from 'node:crypto';
import type { ToolCallView } from '#shared/api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import type { BlobPort, Logger } from '#shared/ports.ts';
import type { Tool } from '#shared/tool.ts';
import type { Store } from '#store/store.ts';
import {
  getToolCall,
  insertToolCalls,
  listOpenDirectCalls,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/tool-calls.ts';
import { validateArguments } from '#tools/json-schema.ts';
import { argumentsHash } from '#tools/policy.ts';
import { type Approvals, toView } from './approvals.ts';
import type { Decisions } from './decisions.ts';
import { executeCall } from './execute-call.ts';
import type { Limiter } from './limiter.ts';
import type { RunningCalls } from './running-calls.ts';
import { storeLarge } from './stored-results.ts';
import { traceOf } from './trace-context.ts';

export interface DirectCallsDeps {
  store: Store;
  blobs: BlobPort;
  approvals: Approvals;
  decisions: Decisions;
  limiter: Limiter;
  running: RunningCalls;
  logger: Logger;
  signal: AbortSignal;
  now(): number;
}

/**
 * Calls a tool without a conversation, under the same policy and the same record as in one. Resolves
 * with the finished call, or, if a person must decide first, with the proposed one at once. `callId`
 * names the call, so that whoever chose it can cancel it.
 */
export async function callDirectly(
  deps: DirectCallsDeps,
  owner: string,
  tool: Tool,
  args: JsonObject,
  callId: string = randomUUIDv7(),
): Promise<ToolCallView> {
  const violation = validateArguments(tool.inputSchema, args);
  if (violation) throw new CeriseError('invalid_arguments', violation);
  const { serverId, toolName, trusted, autoApproved, annotations } = tool;
  const verdict = await deps.approvals.policy({
    serverId,
    toolName,
    trusted,
    autoApproved,
    annotations,
    arguments: args,
    owner,
  });
  if (verdict.action === 'deny')
    throw new CeriseError('denied', `This call is not allowed: ${verdict.rule}.`);
  const record = newRecord(owner, callId, tool, args, deps.now());
  record.rule = verdict.rule;
  if (verdict.action === 'allow') record.state = 'approved';
  await deps.store.transaction(async (tx) => {
    if (await getToolCall(tx, owner, callId))
      throw new CeriseError('conflict', `There is already a call named ${callId}.`);
    await insertToolCalls(tx, [record]);
  });
  if (verdict.action === 'ask') {
    void afterDecision(deps, record, tool);
    return toView(record);
  }
  await run(deps, record, tool);
  return deps.approvals.get(owner, record.id);
}

/** Ends direct calls of an earlier process: nobody waits for them any more. */
export async function endLostDirectCalls(store: Store, owner: string, now: number): Promise<void> {
  for (const record of await listOpenDirectCalls(store.db, owner)) {
    const state = record.state === 'dispatching' ? 'outcome_unknown' : 'cancelled';
    const error = { code: state, message: 'Cerise was ended before this call was.' } as const;
    await store.transaction((tx) =>
      transitionToolCall(tx, record.id, [record.state], state, { error, endedAt: now }).then(
        () => undefined,
      ),
    );
  }
}

function newRecord(
  owner: string,
  id: string,
  tool: Tool,
  args: JsonObject,
  createdAt: number,
): ToolCallRecord {
  return {
    id,
    owner,
    round: 0,
    index: 0,
    callId: id,
    serverId: tool.serverId,
    serverName: tool.serverName,
    toolName: tool.toolName,
    arguments: args,
    argsHash: argumentsHash(args),
    state: 'proposed',
    createdAt,
  };
}

async function afterDecision(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  tool: Tool,
): Promise<void> {
  try {
    const decision = await deps.decisions.wait(record.id, deps.signal);
    if (decision === 'approve') await run(deps, record, tool);
  } catch (error) {
    if (!deps.signal.aborted)
      deps.logger.error({ toolCallId: record.id, ...toErrorInfo(error) }, 'A call was lost');
  }
}

async function run(deps: DirectCallsDeps, record: ToolCallRecord, tool: Tool): Promise<void> {
  const signal = deps.running.start(record.id, deps.signal);
  await deps.limiter.acquire(record.serverId, signal);
  try {
    await deps.store.transaction((tx) =>
      transitionToolCall(tx, record.id, ['approved'], 'dispatching', { startedAt: deps.now() }),
    );
    const context = {
      callId: record.id,
      signal,
      onProgress: () => undefined,
      trace: traceOf(record.id, record.id),
    };
    const outcome = await executeCall(tool, record.arguments, context);
    const { state, error } = outcome;
    const place = { owner: record.owner, callId: record.id };
    const result = outcome.result && (await storeLarge(outcome.result, deps.blobs, place));
    await deps.store.transaction((tx) =>
      transitionToolCall(tx, record.id, ['dispatching'], state, {
        result,
        error,
        endedAt: deps.now(),
      }),
    );
  } finally {
    deps.limiter.release(record.serverId);
    deps.running.end(record.id);
  }
}
