import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { PolicyCall, Tool, ToolProgress, TraceContext } from '#shared/vocabulary/tool.ts';
import { countWaitingDirectCalls } from '#store/calls/direct-calls.ts';
import {
  insertToolCalls,
  isCallIdTaken,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/calls/tool-calls.ts';
import { waitOfUnstarted } from '#store/conversations/waits.ts';
import type { Db, Store } from '#store/database/store.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import { validateArguments } from '#tools/formats/json-schema.ts';
import { toPolicyCall } from '../policy/policy-tool.ts';
import type { CallAsker } from './asker.ts';
import type { AtWork } from './at-work.ts';
import { type CallDecision, recordDecision } from './call-decision.ts';
import { toView, toWholeView } from './call-view.ts';
import { deniedByPolicy } from './refusals.ts';
import { callIdOf, type CallName, nameCall } from './repeated-call.ts';
import {
  type CallDeps,
  type CallPlace,
  CallTaken,
  type Run,
  runCall,
  wasSent,
} from './run-call.ts';
import { sanitiseArguments } from './sanitise-arguments.ts';
import { untilStored } from './until-stored.ts';

export interface DirectCallsDeps extends CallDeps {
  /** The tool of a recorded call as it is now. Throws CeriseError if there is none. */
  findTool: (record: ToolCallRecord) => Promise<Tool>;
  atWork: AtWork;
  quota: Room;
  logger: Logger;
  signal: AbortSignal;
  /** The name of this host among others on the same database. */
  instance: string;
}

/** How much a person may keep. */
interface Room {
  /** Whether each call has to be checked, one after the other. */
  isScarce(owner: string): Promise<boolean>;
  /** Throws `quota_exceeded`. */
  requireRoomIn(tx: Db, owner: string, bytes: number): Promise<void>;
}

/** Whoever waits for a call, as far as it can be asked and told. */
interface Caller {
  asker?: CallAsker | undefined;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** Its trace; a call that goes on after a restart has its own. */
  trace?: TraceContext | undefined;
  /** Aborted when it calls the call off, which may be before there is a record of it. */
  calledOff?: AbortSignal | undefined;
}

/** How a tool is called without a conversation. */
export interface DirectCallOptions extends CallName, Caller {
  /** A person approved exactly these arguments before they were sent: where the policy asks, it need not. */
  approve?: 'once' | undefined;
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
  { approve, asker, onProgress, trace, calledOff, ...name }: DirectCallOptions = {},
): Promise<ToolCallView> {
  const caller: Caller = { asker, onProgress, trace, calledOff };
  const args = sanitiseArguments(given);
  const judged = toPolicyCall(tool, args);
  const record = newRecord(deps, owner, tool, judged);
  // Before anything is judged: what came of a call does not depend on what is allowed by now.
  const { id, before } = await nameCall(deps.store, name, record);
  if (before) return deps.approvals.get(owner, id);
  const callId = callIdOf(id, name);
  Object.assign(record, { id, callId });
  const violation = validateArguments(tool.inputSchema, args);
  if (violation) throw new CeriseError('invalid_arguments', violation);
  const verdict = await deps.approvals.policy({ ...judged, owner, callId });
  if (verdict.action === 'deny') throw deniedByPolicy(verdict);
  record.rule = verdict.rule;
  if (verdict.action === 'allow') record.state = 'approved';
  const scope = record.state === 'proposed' ? approve : undefined;
  const view = await deps.atWork.on(id, () => begin(deps, record, { tool, caller }, scope));
  if (!view) throw nameTaken(id);
  if (view.state === 'proposed') void runDecided(deps, record, tool, caller);
  return view;
}

async function begin(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  { tool, caller }: { tool: Tool; caller: Caller },
  approve: DirectCallOptions['approve'],
): Promise<ToolCallView> {
  const { id, owner } = record;
  await insertNew(deps, record, approve && { scope: approve, at: deps.now() });
  if (record.state === 'proposed') return toView(record);
  try {
    // One that a person approved is looked at again, as any other that they did.
    const isJudged = record.decidedAt === undefined;
    await run(deps, { record, tool, hasSeat: false, isJudged }, caller);
  } catch (error) {
    if (error instanceof CallTaken) throw notApprovedNow();
    await endFailed(deps, record, error).catch(logLostCall(deps, id));
    throw error;
  }
  if (record.endedAt !== undefined) return toWholeView(record, deps.blobs);
  const view = await deps.approvals.get(owner, id);
  if (view.endedAt === undefined) throw stillOpen(view);
  return view;
}

function notApprovedNow(): CeriseError {
  return new CeriseError(
    'conflict',
    say('call-not-approved-now')`The call is no longer approved, so it didn't run.`,
  );
}

/**
 * Records a call, with the approval that came with it. Throws `conflict` where there is such a call, also if
 * another host was faster by a moment, and `too_many_requests` where too many wait, and `quota_exceeded` where there
 * is no room for it. One that runs at once does not wait for the disk: the commit that makes its intent durable
 * brings this one along.
 */
async function insertNew(
  { store, limits, quota }: Pick<DirectCallsDeps, 'store' | 'limits' | 'quota'>,
  record: ToolCallRecord,
  approval?: Pick<CallDecision, 'scope' | 'at'>,
): Promise<void> {
  const { id, owner } = record;
  const waits = record.state === 'proposed' && !approval;
  const durability = record.state === 'approved' ? 'relaxed' : 'full';
  const isScarce = await quota.isScarce(owner);
  const transact: Store['transaction'] = (work) =>
    waits || isScarce
      ? transactSerially(store, `calls outside chats ${owner}`, work, durability)
      : store.transaction(work, durability);
  try {
    await transact(async (tx) => {
      if (isScarce)
        await quota.requireRoomIn(tx, owner, Buffer.byteLength(JSON.stringify(record.arguments)));
      if (waits && (await countWaitingDirectCalls(tx, owner)) >= limits.waitingCalls)
        throw tooManyWait(limits.waitingCalls);
      await insertToolCalls(tx, [record]);
      if (approval) await recordDecision(tx, record, record, { decision: 'approve', ...approval });
    });
    if (approval) Object.assign(record, { state: 'approved', decidedAt: approval.at });
  } catch (error) {
    if (error instanceof CeriseError || !(await isCallIdTaken(store.db, id))) throw error;
    throw nameTaken(id);
  }
}

function tooManyWait(most: number): CeriseError {
  return new CeriseError(
    'too_many_requests',
    say('calls-waiting')`${most} of your calls are already waiting for approval.`,
    { hint: say('calls-waiting-hint')`Approve or deny them first.` },
  );
}

function nameTaken(id: string): CeriseError {
  return new CeriseError(
    'conflict',
    say('call-name-taken')`A call with the ID ${id} already exists.`,
  );
}

/** The host ends, or its call is another's by now. */
function stillOpen({ id, state }: Pick<ToolCallView, 'id' | 'state'>): CeriseError {
  const hint = say('look-at-call-later')`Check call ${id} once Cerise is back.`;
  if (state === 'parked' || state === 'approved')
    return new CeriseError(
      'shutting_down',
      say('shutting-down-call')`Cerise is shutting down. The call will continue after the restart.`,
      { hint, details: { toolCallId: id } },
    );
  return new CeriseError(
    'outcome_unknown',
    say('outcome-not-recorded')`The result of this call couldn't be saved. The call may have run.`,
    { hint, details: { toolCallId: id, reach: 'left' } },
  );
}

/** Brings a call to its end whose caller was answered before: it waits, or was approved. Never throws: its record tells. */
export async function runDecided(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  known?: Tool,
  caller?: Caller,
): Promise<void> {
  await deps.atWork.on(record.id, () => runAlone(deps, record, known, caller));
}

/** The same where this process is known to work on it. */
export async function runAlone(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  known?: Tool,
  caller?: Caller,
): Promise<void> {
  try {
    const find = () => deps.findTool(record);
    await run(deps, { record, tool: known, find, hasSeat: false }, caller);
  } catch (error) {
    if (deps.signal.aborted || error instanceof CallTaken) return;
    const isUndecided = record.state === 'proposed' && record.decidedAt === undefined;
    if (isUndecided || !(error instanceof CeriseError)) logLostCall(deps, record.id)(error);
    // No one waits for it here any longer: its decision runs it.
    if (isUndecided) return;
    await endFailed(deps, record, error).catch(logLostCall(deps, record.id));
  }
}

/** Where the failure came before anything was sent, nothing happened; after that, nobody knows. */
async function endFailed(
  deps: DirectCallsDeps,
  record: ToolCallRecord,
  error: unknown,
): Promise<void> {
  const { id, state, ownerInstance } = record;
  const isSent = wasSent(record);
  const end = isSent ? 'outcome_unknown' : 'failed';
  const reach = isSent ? 'left' : 'never-left';
  const info = toErrorInfo(error, 'tool_failed');
  const endedAt = deps.now();
  const waitedMs = isSent ? undefined : waitOfUnstarted(record.createdAt, endedAt);
  const fields = { error: info, reach, endedAt, waitedMs, continuation: null } as const;
  await deps.store.transaction((tx) =>
    transitionToolCall(tx, id, [isSent ? state : 'approved'], end, fields, ownerInstance),
  );
}

/** Says that nobody works on a call any more; somebody finds it by its row. */
export function logLostCall(
  { logger }: Pick<DirectCallsDeps, 'logger'>,
  toolCallId: string,
): (error: unknown) => void {
  return (error) => logger.error({ toolCallId, ...toErrorInfo(error) }, 'Lost track of a call');
}

function newRecord(
  deps: DirectCallsDeps,
  owner: string,
  tool: Tool,
  { arguments: args, argsHash }: Pick<PolicyCall, 'arguments' | 'argsHash'>,
): ToolCallRecord {
  return {
    id: '',
    owner,
    round: 0,
    index: 0,
    callId: '',
    serverId: tool.serverId,
    // As they are stored: what is answered does not come from the row.
    serverName: sanitiseText(tool.serverName),
    toolName: sanitiseText(tool.toolName),
    arguments: args,
    argsHash,
    ...(tool.launchHash !== undefined && { launchHash: tool.launchHash }),
    state: 'proposed',
    ownerInstance: deps.instance,
    createdAt: deps.now(),
  };
}

/** Resolves once the outcome is recorded, or, when the host ends, with the call left for another process. */
export function run(deps: DirectCallsDeps, call: Run, caller: Caller = {}): Promise<void> {
  return runCall(deps, rowPlace(deps, caller), call);
}

/** A call outside of any topic is its row and nothing else. */
function rowPlace({ store, signal }: DirectCallsDeps, caller: Caller): CallPlace {
  const { asker, onProgress, trace, calledOff } = caller;
  return {
    signal,
    calledOff,
    caller: trace,
    commit: async (rows) => {
      if (rows) await store.transaction(rows);
    },
    end: async (_, __, rows) => (await untilStored(() => store.transaction(rows), signal)) === true,
    asker,
    onProgress: (progress) => onProgress?.(progress),
    onDenied: () => undefined,
    // For the others, whose caller ends with the host, nobody waits any more.
    stays: ({ state, decidedAt }) => state === 'proposed' || decidedAt !== undefined,
  };
}
