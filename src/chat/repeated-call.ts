import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CeriseError, type ErrorCode } from '#shared/errors.ts';
import { say } from '#shared/sentence.ts';
import type { Store } from '#store/store.ts';
import { getToolCall, type ToolCallRecord } from '#store/tool-calls.ts';

/** How whoever calls a tool names the call: by an id, or by the key of a request that is done once. */
export type CallName = string | { once: string };

/** A call that failed with one of these never reached its server, so it may be made again. */
const neverSent: ReadonlySet<ErrorCode> = new Set([
  'connection_refused',
  'command_not_found',
  'address_blocked',
  'sign_in_required',
  'server_disabled',
  'server_not_approved',
] as const);

const longestWait = 10_000;
const pollEvery = 100;

/**
 * The id of the call that a request with a key makes, and that call if it was made before: a host that
 * died with the request may have sent it, and it is not sent twice. Throws `conflict` while it runs.
 */
export async function findRepeated(
  { db }: Store,
  key: string,
  { owner, serverId, toolName, argsHash }: ToolCallRecord,
): Promise<{ id: string; before?: ToolCallRecord }> {
  const deadline = performance.now() + longestWait;
  for (let n = 0; ;) {
    const named = JSON.stringify([owner, key, serverId, toolName, argsHash, n]);
    const id = `once-${createHash('sha256').update(named).digest('hex').slice(0, 40)}`;
    const before = await getToolCall(db, owner, id);
    if (!before) return { id };
    if (mayBeMadeAgain(before)) n += 1;
    else if (before.endedAt !== undefined || before.state === 'proposed') return { id, before };
    else if (performance.now() > deadline) throw stillRuns(id);
    else await setTimeout(pollEvery);
  }
}

function mayBeMadeAgain({ state, error }: ToolCallRecord): boolean {
  return state === 'cancelled' || (state === 'failed' && !!error && neverSent.has(error.code));
}

function stillRuns(toolCallId: string): CeriseError {
  return new CeriseError(
    'conflict',
    say('first-call-runs')`The call that this request made before still runs.`,
    {
      hint: say('look-at-call')`Look at the call ${toolCallId}.`,
      details: { toolCallId },
    },
  );
}
