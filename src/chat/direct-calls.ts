import { randomUUIDv7 } from 'node:crypto';
import type { ToolCallView } from '#shared/tool-call-api.ts';
import { cutToolReach } from '#shared/block.ts';
import { errorInfo, CeriseError, toErrorInfo } from '#shared/errors.ts';
import type { HostEvent } from '#shared/event.ts';
import type { JsonObject } from '#shared/json.ts';
import type { Limits } from '#shared/limits.ts';
import type { BlobPort, Logger } from '#shared/ports.ts';
import { say } from '#shared/sentence.ts';
import {
  type ToolCallState,
  type Continuation,
  shutdownReason,
  type Tool,
  type ToolOutcome,
} from '#shared/tool.ts';
import type { Store } from '#store/store.ts';
import {
  claimToolCall,
  getContinuation,
  insertToolCalls,
  isCallIdTaken,
  listOpenDirectCalls,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/tool-calls.ts';
import { validateArguments } from '#tools/json-schema.ts';
import { argumentsHash } from '#tools/policy.ts';
import { approvedArguments, type Approvals, toPolicyCall, toView } from './approvals.ts';
import type { CallOrigins } from './call-origins.ts';
import type { Decisions } from './decisions.ts';
import { executeCall, lostOutcome, neverRan } from './execute-call.ts';
import type { Limiter } from './limiter.ts';
import { deniedByPolicy } from './look-again.ts';
import { Parking, type ParkingPlace } from './parking.ts';
import { type CallName, findRepeated } from './repeated-call.ts';
import type { RunningCalls } from './running-calls.ts';
import { storeResult } from './stored-results.ts';
import { traceOf } from './trace-context.ts';
import { sentArguments } from './sent-arguments.ts';
import { untilStored } from './until-stored.ts';

export interface DirectCallsDeps {
  store: Store;
  blobs: BlobPort;
  limits: Limits;
  approvals: Approvals;
  decisions: Decisions;
  origins: CallOrigins;
  /** The tool of a recorded call as it is now. Throws CeriseError if there is none. */
  findTool: (record: ToolCallRecord) => Promise<Tool>;
  limiter: Limiter;
  running: RunningCalls;
  logger: Logger;
  signal: AbortSignal;
  emit: (owner: string, event: HostEvent) => void;
  /** The name of this host among others on the same database. */
  instance: string;
  now(): number;
}

/**
 * Calls a tool without a conversation, under the same policy and the same record as in one. Resolves
 * with the finished call, or, if a person must decide first, with the proposed one at once. `name` is an
 * id by which whoever chose it can cancel the call, or the key of a request that makes it once.
 */
export async function callDirectly(
  deps: DirectCallsDeps,
  owner: string,
  tool: Tool,
  given: JsonObject,
  name: CallName = randomUUIDv7(),
): Promise<ToolCallView> {
  const args = sentArguments(given);
  const violation = validateArguments(tool.inputSchema, args);
  if (violation) throw new CeriseError('invalid_arguments', violation);
  const verdict = await deps.approvals.policy({ ...toPolicyCall(tool, args), owner });
  if (verdict.action === 'deny') throw deniedByPolicy(verdict);
  const callId = typeof name === 'string' ? name : '';
  const record = newRecord(owner, callId, tool, args, deps.now());
  if (typeof name !== 'string') {
    const { id, before } = await findRepeated(deps.store, name.once, record);
    if (before) return deps.approvals.get(owner, id);
    Object.assign(record, { id, callId: id });
  }
  record.ownerInstance = deps.instance;
  record.rule = verdict.rule;
  if (verdict.action === 'allow') record.state = 'approved';
  await deps.store.transaction(async (tx) => {
    if (await isCallIdTaken(tx, record.id))
      throw new CeriseError(
        'conflict',
        say('call-name-taken')`There is already a call named ${record.id}.`,
      );
    await insertToolCalls(tx, [record]);
  });
  if (verdict.action === 'ask') {
    const { id: toolCallId, serverId, toolName } = record;
    deps.emit(owner, { type: 'tool-call-waiting', toolCallId, serverId, toolName });
    awaitRule(deps, record, async () => tool);
    return toView(record);
  }
  try {
    await run(deps, record, tool);
  } catch (error) {
    await endFailed(deps, record, error).catch(lost(deps, record.id));
    throw error;
  }
  const view = await deps.approvals.get(owner, record.id);
  if (view.state === 'parked') throw leftParked(record.id);
  return view;
}

function leftParked(toolCallId: string): CeriseError {
  return new CeriseError(
    'shutting_down',
    say('shutting-down-call')`Cerise is shutting down; the call goes on afterwards.`,
    {
      hint: say('look-at-call-later')`Look at the call ${toolCallId} when Cerise is there again.`,
      details: { toolCallId },
    },
  );
}

/**
 * Sees to the direct calls of processes that are gone (as `findDead` says, or all but this one): what waits for a person
 * goes on waiting, what they approved or what is parked goes on, what was sent has no known outcome, and
 * for the rest, whose caller is gone as well, nobody waits any more.
 */
export async function resumeDirectCalls(
  deps: DirectCallsDeps & { parkedTool: (record: ToolCallRecord) => Pick<Tool, 'execute'> },
  findDead?: (instances: string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const { store } = deps;
  const open = (await listOpenDirectCalls(store.db)).filter(
    ({ ownerInstance }) => ownerInstance !== deps.instance,
  );
  const dead = await findDead?.(open.flatMap(({ ownerInstance }) => ownerInstance ?? []));
  for (const record of open) {
    if (dead && record.ownerInstance !== undefined && !dead.has(record.ownerInstance)) continue;
    const resume = await getContinuation(store.db, record.owner, record.id);
    const isParked = record.state === 'parked' && resume !== undefined;
    const isDecided = record.state === 'approved' && record.decidedAt !== undefined;
    if (!isParked && !isDecided && record.state !== 'proposed') await endLost(deps, record);
    else if (!(await claimToolCall(store.db, record, deps.instance))) continue;
    else if (isDecided) void runDecided(deps, record);
    else if (isParked)
      run(deps, record, deps.parkedTool(record), resume).catch(lost(deps, record.id));
    else awaitRule(deps, record, () => deps.findTool(record));
  }
}

/** Runs a call that was approved after it was answered for. Never throws: its record tells. */
export async function runDecided(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  known?: Tool,
): Promise<void> {
  try {
    const tool = known ?? (await deps.findTool(record));
    const error = await deps.approvals.refusal(record, tool);
    if (error) await finish(deps, record, { reach: 'never-left', state: 'denied', error });
    else await run(deps, record, tool);
  } catch (error) {
    if (deps.signal.aborted) return;
    if (!(error instanceof CeriseError)) lost(deps, record.id)(error);
    await endFailed(deps, record, error).catch(lost(deps, record.id));
  }
}

/** Where the failure came before anything was sent, nothing happened; after that, nobody knows. */
async function endFailed(
  deps: DirectCallsDeps,
  { id, state }: ToolCallRecord,
  error: unknown,
): Promise<void> {
  const end = state === 'approved' ? 'failed' : 'outcome_unknown';
  const reach = state === 'approved' ? 'never-left' : 'left';
  const info = toErrorInfo(error, 'tool_failed');
  const fields = { error: info, reach, endedAt: deps.now(), continuation: null } as const;
  await deps.store.transaction((tx) => transitionToolCall(tx, id, [state], end, fields));
}

/** A rule that is written while a person is asked may let the call run, or end it. */
function awaitRule(
  { decisions, approvals, signal, logger }: DirectCallsDeps,
  record: ToolCallRecord,
  find: () => Promise<Tool>,
): void {
  const { id, owner, arguments: args } = record;
  const judge = async () => approvals.policy({ ...toPolicyCall(await find(), args), owner });
  decisions.wait(id, { owner, signal, judge }).catch((error: unknown) => {
    if (!signal.aborted)
      logger.warn({ toolCallId: id, ...toErrorInfo(error) }, 'Nobody waits for a call any more');
  });
  // One that was written before it waited as well: whoever wrote it did not see it yet.
  void approvals.judgeWaiting(owner, id);
}

function lost({ logger }: DirectCallsDeps, toolCallId: string): (error: unknown) => void {
  return (error) => logger.error({ toolCallId, ...toErrorInfo(error) }, 'A call was lost');
}

async function endLost(deps: DirectCallsDeps, record: ToolCallRecord): Promise<void> {
  const { id, state } = record;
  const wasSent = state === 'dispatching' || state === 'parked';
  const end = wasSent ? 'outcome_unknown' : 'cancelled';
  const error = wasSent ? lostOutcome : endedBefore;
  const fields = { error, reach: cutToolReach[end], endedAt: deps.now(), continuation: null };
  await deps.store.transaction((tx) => transitionToolCall(tx, id, [state], end, fields));
}

const endedBefore = errorInfo(
  'cancelled',
  say('ended-before-call')`Cerise was ended before this call was.`,
);

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
    ...(tool.launchHash !== undefined && { launchHash: tool.launchHash }),
    state: 'proposed',
    createdAt,
  };
}

/** Resolves once the outcome is recorded, or, when the host ends, with the call left for another process. */
async function run(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  tool: Tool | Pick<Tool, 'execute'>,
  resume?: Continuation,
): Promise<void> {
  const { id } = record;
  const place = new ServerPlace(deps, record);
  const signal = deps.running.start(id, deps.signal, {
    owner: record.owner,
    onParked: (asking) => parking.show(asking),
  });
  const parking = new Parking(place.of(signal), record, resume !== undefined);
  try {
    if (!resume && !(await dispatched(deps, record, place, signal))) return;
    const ended = await executeCall(
      tool,
      record.arguments,
      {
        callId: id,
        signal,
        onProgress: () => undefined,
        trace: traceOf(id, id),
        onParked: (continuation) => parking.park(continuation),
        onUnparked: () => parking.unpark(),
        ...(resume && { resume }),
      },
      deps.limits.storedResult,
    );
    const outcome = { ...ended, origins: await deps.origins.received(record, tool, ended) };
    if (parking.isKept && signal.reason === shutdownReason && outcome.reach !== 'ended') return;
    await parking.end();
    await finish(deps, record, outcome, parking);
  } finally {
    place.release();
    deps.running.end(id);
  }
}

/**
 * False if the call was called off before it ran. When the host ends, what a person had approved stays
 * approved: another process goes on with it.
 */
async function dispatched(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  place: ServerPlace,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await place.dispatch(signal);
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    const isLeft = signal.reason === shutdownReason && record.decidedAt !== undefined;
    if (!isLeft)
      await finish(deps, record, { reach: 'never-left', state: 'cancelled', error: neverRan });
    return false;
  }
}

/** The place of a call at its server, and its row. */
class ServerPlace {
  readonly #deps: DirectCallsDeps;
  readonly #record: ToolCallRecord;
  #isTaken = false;

  constructor(deps: DirectCallsDeps, record: ToolCallRecord) {
    this.#deps = deps;
    this.#record = record;
  }

  of(signal: AbortSignal): ParkingPlace {
    return {
      commit: async (rows) => {
        if (rows) await this.#deps.store.transaction(rows);
      },
      acquire: () => this.#acquire(signal),
      release: () => this.release(),
    };
  }

  async dispatch(signal: AbortSignal): Promise<void> {
    await this.#acquire(signal);
    const deps = this.#deps;
    const record = this.#record;
    await deps.store.transaction(async (tx) => {
      Object.assign(record, await approvedArguments(tx, record));
      const startedAt = deps.now();
      const from: ToolCallState[] = ['approved'];
      if (!(await transitionToolCall(tx, record.id, from, 'dispatching', { startedAt })))
        throw new CeriseError(
          'conflict',
          say('call-not-approved-now')`The call is no longer approved; it was not run.`,
        );
    });
    record.state = 'dispatching';
  }

  release(): void {
    if (this.#isTaken) this.#deps.limiter.release(this.#record.serverId);
    this.#isTaken = false;
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    if (!this.#isTaken) await this.#deps.limiter.acquire(this.#record.serverId, signal);
    this.#isTaken = true;
  }
}

async function finish(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  outcome: ToolOutcome,
  parking?: Parking,
): Promise<void> {
  const { state, reach, error, origins = [] } = outcome;
  const place = { owner: record.owner, callId: record.id, origins };
  const result = outcome.result && (await storeResult(outcome.result, deps, place));
  const endedAt = deps.now();
  const fields = { result, error, reach, endedAt, continuation: null };
  const write = () =>
    deps.store.transaction(async (tx) => {
      const open: ToolCallState[] = ['approved', 'dispatching', 'parked'];
      await transitionToolCall(tx, record.id, open, state, fields);
      await parking?.closeInputs(tx, endedAt);
    });
  await untilStored(write, deps.signal);
}
