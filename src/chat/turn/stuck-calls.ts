import type { ErrorCode } from '#shared/errors/errors.ts';
import type { Block, ToolBlock } from '#shared/vocabulary/block.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { isCall } from '../history/history.ts';

/** Failures that say that nothing was begun, whether or not a server said so. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'tool_not_found',
  'invalid_arguments',
  'arguments_too_large',
  // What `read_more` is asked for by an id that nobody gave.
  'file_not_found',
  'tool_changed',
  'denied',
  'forbidden',
  'admin_only',
  'address_blocked',
  'no_longer_allowed',
  'launch_changed',
  'server_not_found',
  'server_disabled',
  'server_not_approved',
  'sign_in_required',
  'command_not_found',
  'missing_variable',
  'connection_refused',
]);

/** These guards have spoken for themselves. */
const guards: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['repeated_call', 'call_limit']);

/**
 * Whether a model gets no further with tools: a guard has refused a call, or the calls of the last
 * rounds could not run, for the same reason or for any. A call that ran begins a new count, but not for a
 * tool that is asked for in vain beside it.
 */
export function isStuck(
  blocks: readonly Block[],
  { refusedRounds, refusedCalls }: Pick<Limits, 'refusedRounds' | 'refusedCalls'>,
): boolean {
  const calls = blocks.filter(isCall);
  // Asked before every round, and almost always nothing went wrong.
  if (!calls.some((call) => call.error !== undefined || isRefused(call))) return false;
  if (calls.some(({ error }) => error && guards.has(error.code))) return true;
  const rounds = [...Map.groupBy(calls, ({ round }) => round).values()];
  const since = rounds.findLastIndex((round) => !round.every(isRefused)) + 1;
  const refused = rounds.slice(since);
  const ofKind = new Map<string, number>();
  for (const round of refused)
    for (const kind of new Set(round.map(kindOf))) ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
  if (refused.flat().length >= refusedCalls || Math.max(...ofKind.values()) >= refusedRounds)
    return true;
  return insists(calls, refusedRounds) || countMissing(calls) >= refusedCalls;
}

/** What is told once is told for the whole answer: it does not pass, as a lost connection may. */
const lasting: ReadonlySet<string> = new Set([
  'tool_not_found',
  'denied',
  'invalid_arguments',
  'arguments_too_large',
  'file_not_found',
]);

/** Whether one tool was refused for one such reason in so many rounds since it last ran, whatever else ran. */
function insists(calls: readonly ToolBlock[], most: number): boolean {
  return Map.groupBy(calls, ({ modelToolName }) => modelToolName)
    .values()
    .some((ofTool) => {
      const since = ofTool.slice(ofTool.findLastIndex((call) => !isRefused(call)) + 1);
      const kinds = Map.groupBy(
        since.filter((call) => lasting.has(kindOf(call))),
        kindOf,
      );
      return kinds.values().some((same) => new Set(same.map(({ round }) => round)).size >= most);
    });
}

/** Calls of tools that do not exist, each by another name perhaps, and beside others that do. */
function countMissing(calls: readonly ToolBlock[]): number {
  const ran = new Set(calls.filter((call) => !isRefused(call)).map((call) => call.modelToolName));
  return calls.filter((call) => kindOf(call) === 'tool_not_found' && !ran.has(call.modelToolName))
    .length;
}

/** A call that never left could not run, for whatever reason; one that a person called off is none of that. */
function isRefused({ state, reach, error, result }: ToolBlock): boolean {
  if (state === 'denied') return true;
  if (result || (state !== 'failed' && state !== 'timed_out')) return false;
  return reach === 'never-left' || (error !== undefined && refusals.has(error.code));
}

function kindOf({ state, error }: ToolBlock): string {
  return state === 'denied' ? 'denied' : (error?.code ?? '');
}
