import { errorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { cutToolReach } from '#shared/vocabulary/block.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import {
  claimToolCall,
  getContinuation,
  listOpenDirectCalls,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/calls/tool-calls.ts';
import { waitOfUnstarted } from '#store/conversations/waits.ts';
import { type DirectCallsDeps, logLostCall, run, runAlone } from './direct-calls.ts';
import { unknownOutcome } from './execute-call.ts';
import { wasSent } from './run-call.ts';

/**
 * Sees to the direct calls that nobody works on: of processes that are gone (as `findDead` says, or all but
 * this one), and of this one where it had to leave them. What waits for a person goes on waiting, what they
 * approved or what is parked goes on, what was sent has no known outcome, and for the rest, whose caller is
 * gone as well, nobody waits any more. What runs here and is to be stopped, as another host says, is.
 */
export async function resumeDirectCalls(
  deps: ResumeDeps,
  findDead?: (instances: string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const { store, instance, atWork, running } = deps;
  const open = await listOpenDirectCalls(store.db);
  const others = open.flatMap(({ ownerInstance: whose }) =>
    whose === undefined || whose === instance ? [] : [whose],
  );
  const dead = await findDead?.(others);
  for (const record of open) {
    const { id, state, ownerInstance, abortAt } = record;
    const isOwn = ownerInstance === instance;
    if (isOwn && abortAt !== undefined) running.abort(id);
    const isLeft = isOwn ? state !== 'proposed' && !atWork.has(id) : !isAlive(record, dead);
    if (isLeft) await takeUp(deps, record);
  }
}

export type ResumeDeps = DirectCallsDeps & {
  parkedTool: (record: ToolCallRecord) => Pick<Tool, 'execute'>;
};

function isAlive(
  { ownerInstance }: ToolCallRecord,
  dead: ReadonlySet<string> | undefined,
): boolean {
  return dead !== undefined && ownerInstance !== undefined && !dead.has(ownerInstance);
}

/** Resolves once the call is ours, or ended, or another's; what it does then nobody waits for. */
async function takeUp(deps: ResumeDeps, record: ToolCallRecord): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  deps.atWork
    .on(record.id, () => goOn(deps, record, resolve))
    .catch(logLostCall(deps, record.id))
    .finally(resolve);
  await promise;
}

async function goOn(deps: ResumeDeps, record: ToolCallRecord, onTaken: () => void): Promise<void> {
  const { store, instance } = deps;
  const { id, owner, state, decidedAt, abortAt } = record;
  const resume = await getContinuation(store.db, owner, id);
  const isParked = state === 'parked' && resume !== undefined;
  const isDecided = state === 'approved' && decidedAt !== undefined && abortAt === undefined;
  if (!isParked && !isDecided && state !== 'proposed') return endLost(deps, record);
  if (!(await claimToolCall(store.db, record, instance))) return;
  record.ownerInstance = instance;
  onTaken();
  // What was to be stopped before it was ours is stopped here: nothing more is sent.
  const signal = abortAt === undefined ? deps.signal : AbortSignal.abort();
  if (!isParked) return runAlone(deps, record);
  const tool = deps.parkedTool(record);
  await run({ ...deps, signal }, { record, tool, hasSeat: false, resume });
}

async function endLost(deps: DirectCallsDeps, record: ToolCallRecord): Promise<void> {
  const { id, state, ownerInstance } = record;
  const isSent = wasSent(record);
  const end = isSent ? 'outcome_unknown' : 'cancelled';
  const error = isSent ? unknownOutcome : endedBefore;
  const endedAt = deps.now();
  const waitedMs = isSent ? undefined : waitOfUnstarted(record.createdAt, endedAt);
  const fields = { error, reach: cutToolReach[end], endedAt, waitedMs, continuation: null };
  await deps.store.transaction((tx) =>
    transitionToolCall(tx, id, [state], end, fields, ownerInstance),
  );
}

const endedBefore = errorInfo(
  'cancelled',
  say('ended-before-call')`Cerise shut down before this call finished.`,
);
