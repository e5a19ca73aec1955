import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CeriseError } from '#shared/errors.ts';
import { say } from '#shared/sentence.ts';
import type { Store } from '#store/store.ts';
import { getToolCall, type ToolCallRecord } from '#store/tool-calls.ts';

/** How whoever calls a tool names the call: by an id, or by the key of a request that is done once. */
export type CallName = string | { once: string };

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
    if (before.removedAt !== undefined) throw wasRemoved();
    if (mayBeMadeAgain(before)) n += 1;
    else if (before.endedAt !== undefined || before.state === 'proposed') return { id, before };
    else if (performance.now() > deadline) throw stillRuns(id);
    else await setTimeout(pollEvery);
  }
}

/** Only what never left, whoever ended it; and a no is an answer. */
function mayBeMadeAgain({ state, reach }: ToolCallRecord): boolean {
  return reach === 'never-left' && state !== 'denied';
}

/** Its key stays known for as long as keys are, so that nothing happens twice. */
function wasRemoved(): CeriseError {
  return new CeriseError(
    'tool_call_not_found',
    say('first-call-removed')`The call that this request made before was deleted.`,
    { hint: say('idempotency-new')`Use a new Idempotency-Key for a new request.` },
  );
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
