import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { Limiter } from '#shared/async/limiter.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { BlobPort, Logger } from '#shared/vocabulary/ports.ts';
import {
  type ToolCallState,
  type Continuation,
  shutdownReason,
  type Tool,
  type ToolOutcome,
} from '#shared/vocabulary/tool.ts';
import {
  insertToolCalls,
  isCallIdTaken,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/calls/tool-calls.ts';
import type { Store } from '#store/database/store.ts';
import { validateArguments } from '#tools/formats/json-schema.ts';
import { argumentsHash } from '#tools/policy/policy.ts';
import { toPolicyCall } from '../policy/policy-tool.ts';
import { approvedArguments, type Approvals, toView } from './approvals.ts';
import type { AtWork } from './at-work.ts';
import type { CallOrigins } from './call-origins.ts';
import type { Decisions } from './decisions.ts';
import { executeCall, neverRan } from './execute-call.ts';
import { deniedByPolicy } from './look-again.ts';
import { Parking, type ParkingPlace } from './parking.ts';
import { callIdOfKey, type CallName, nameCall } from './repeated-call.ts';
import type { RunningCalls } from './running-calls.ts';
import { sentArguments } from './sent-arguments.ts';
import { storeResult } from './stored-results.ts';
import { traceOf } from './trace-context.ts';
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
  atWork: AtWork;
  logger: Logger;
  signal: AbortSignal;
  emit: (owner: string, event: HostEvent) => void;
  /** The name of this host among others on the same database. */
  instance: string;
  now(): number;
}

/**
 * Calls a tool without a conversation, under the same policy and the same record as in one. Resolves
 * with the finished call, or, if a person must decide first, with the proposed one at once.
 */
export async function callDirectly(
  deps: DirectCallsDeps,
  owner: string,
  tool: Tool,
  given: JsonObject,
  name: CallName = {},
): Promise<ToolCallView> {
  const args = sentArguments(given);
  const record = newRecord(deps, owner, tool, args);
  // Before anything is judged: what came of a call does not depend on what is allowed by now.
  const { id, before } = await nameCall(deps.store, name, record);
  if (before) return deps.approvals.get(owner, id);
  const callId = name.once === undefined ? id : callIdOfKey(name.once);
  Object.assign(record, { id, callId });
  const violation = validateArguments(tool.inputSchema, args);
  if (violation) throw new CeriseError('invalid_arguments', violation);
  const verdict = await deps.approvals.policy({ ...toPolicyCall(tool, args), owner });
  if (verdict.action === 'deny') throw deniedByPolicy(verdict);
  record.rule = verdict.rule;
  if (verdict.action === 'allow') record.state = 'approved';
  const view = await deps.atWork.on(id, () => begin(deps, record, tool));
  if (view) return view;
  throw nameTaken(id);
}

async function begin(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  tool: Tool,
): Promise<ToolCallView> {
  const { id, owner, serverId, toolName } = record;
  await insertNew(deps.store, record);
  if (record.state === 'proposed') {
    deps.emit(owner, { type: 'tool-call-waiting', toolCallId: id, serverId, toolName });
    awaitRule(deps, record, async () => tool);
    return toView(record);
  }
  try {
    await run(deps, record, tool);
  } catch (error) {
    await endFailed(deps, record, error).catch(lost(deps, id));
    throw error;
  }
  const view = await deps.approvals.get(owner, id);
  if (view.endedAt === undefined) throw leftOpen(view);
  return view;
}

/** Throws `conflict` where there is such a call, also if another host was faster by a moment. */
async function insertNew(store: Store, record: ToolCallRecord): Promise<void> {
  const { id } = record;
  try {
    await store.transaction(async (tx) => {
      if (await isCallIdTaken(tx, id)) throw nameTaken(id);
      await insertToolCalls(tx, [record]);
    });
  } catch (error) {
    if (error instanceof CeriseError || !(await isCallIdTaken(store.db, id))) throw error;
    throw nameTaken(id);
  }
}

function nameTaken(id: string): CeriseError {
  return new CeriseError('conflict', say('call-name-taken')`There is already a call named ${id}.`);
}

/** The host ends, or its call is another's by now. */
function leftOpen({ id, state }: Pick<ToolCallView, 'id' | 'state'>): CeriseError {
  const hint = say('look-at-call-later')`Look at the call ${id} when Cerise is there again.`;
  if (state === 'parked')
    return new CeriseError(
      'shutting_down',
      say('shutting-down-call')`Cerise is shutting down; the call goes on afterwards.`,
      { hint, details: { toolCallId: id } },
    );
  return new CeriseError(
    'outcome_unknown',
    say(
      'outcome-not-recorded',
    )`What came of this call could not be recorded; it may have happened.`,
    { hint, details: { toolCallId: id, reach: 'left' } },
  );
}

/** Runs a call that was approved after it was answered for. Never throws: its record tells. */
export async function runDecided(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  known?: Tool,
): Promise<void> {
  await deps.atWork.on(record.id, () => runApproved(deps, record, known));
}

/** The same where this process is known to work on it. */
export async function runApproved(
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
  { id, state, ownerInstance }: ToolCallRecord,
  error: unknown,
): Promise<void> {
  const end = state === 'approved' ? 'failed' : 'outcome_unknown';
  const reach = state === 'approved' ? 'never-left' : 'left';
  const info = toErrorInfo(error, 'tool_failed');
  const fields = { error: info, reach, endedAt: deps.now(), continuation: null } as const;
  await deps.store.transaction((tx) =>
    transitionToolCall(tx, id, [state], end, fields, ownerInstance),
  );
}

/** A rule that is written while a person is asked may let the call run, or end it. */
export function awaitRule(
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

/** Says that nobody works on a call any more; somebody finds it by its row. */
export function lost(
  { logger }: Pick<DirectCallsDeps, 'logger'>,
  toolCallId: string,
): (error: unknown) => void {
  return (error) => logger.error({ toolCallId, ...toErrorInfo(error) }, 'A call was lost');
}

function newRecord(
  deps: DirectCallsDeps,
  owner: string,
  tool: Tool,
  args: JsonObject,
): ToolCallRecord {
  return {
    id: '',
    owner,
    round: 0,
    index: 0,
    callId: '',
    serverId: tool.serverId,
    serverName: tool.serverName,
    toolName: tool.toolName,
    arguments: args,
    argsHash: argumentsHash(args),
    ...(tool.launchHash !== undefined && { launchHash: tool.launchHash }),
    state: 'proposed',
    ownerInstance: deps.instance,
    createdAt: deps.now(),
  };
}

/** Resolves once the outcome is recorded, or, when the host ends, with the call left for another process. */
export async function run(
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
    const received = () => deps.origins.received(record, tool, ended);
    const origins = await untilStored(received, deps.signal);
    if (!origins) return;
    const outcome = { ...ended, origins };
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
      const fields = { startedAt: deps.now() };
      const { id, ownerInstance } = record;
      if (!(await transitionToolCall(tx, id, ['approved'], 'dispatching', fields, ownerInstance)))
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
      const { id, ownerInstance } = record;
      if (await transitionToolCall(tx, id, open, state, fields, ownerInstance))
        await parking?.closeInputs(tx, endedAt);
    });
  await untilStored(write, deps.signal);
}
