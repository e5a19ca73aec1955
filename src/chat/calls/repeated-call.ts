import { createHash, randomUUIDv7 } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sanitiseText } from '#shared/text/text.ts';
import { getToolCall, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import type { Store } from '#store/database/store.ts';

/** How the caller of a tool names the call. */
export interface CallName {
  /** By which they can cancel it. */
  id?: string | undefined;
  /** The key of the request, which makes it once. */
  once?: string | undefined;
  /** The request was answered before: where its call is gone, it is not made again. */
  isRepeat?: boolean;
  /** The call of a chat whose arguments are sent again: they are the words of its model. */
  repeats?: string | undefined;
  /** A program made it, and nobody vouched for its words. */
  foreign?: boolean | undefined;
}

const maxWaitMs = 10_000;
const pollIntervalMs = 100;

/**
 * The id of a call, and the call itself if the same request made it before: a host that died with the
 * request may have sent it, and it is not sent twice. Throws `conflict` while it runs.
 */
export async function nameCall(
  { db }: Store,
  name: CallName,
  record: ToolCallRecord,
): Promise<{ id: string; before?: ToolCallRecord }> {
  const { id: chosen, once, isRepeat } = name;
  if (once === undefined) return { id: chosen ?? randomUUIDv7() };
  const deadline = performance.now() + maxWaitMs;
  for (let n = 0; ;) {
    const id = chosen ?? idOfKey(once, record, n);
    const before = await getToolCall(db, record.owner, id);
    if (!before && n === 0 && isRepeat) throw wasRemoved();
    // A name that is taken is reported by its row.
    if (!before || (chosen !== undefined && !isSame(before, name, record))) return { id };
    if (before.removedAt !== undefined) throw wasRemoved();
    if (chosen === undefined && mayBeMadeAgain(before)) n += 1;
    else if (before.endedAt !== undefined || before.state === 'proposed') return { id, before };
    else if (performance.now() > deadline) throw stillRuns(id);
    else await setTimeout(pollIntervalMs);
  }
}

function idOfKey(
  key: string,
  { owner, serverId, toolName, argsHash }: ToolCallRecord,
  n: number,
): string {
  const named = JSON.stringify([owner, key, serverId, toolName, argsHash, n]);
  return `once-${createHash('sha256').update(named).digest('hex').slice(0, 40)}`;
}

/**
 * What a call outside of any chat is known by besides its id. It says which call of a chat it repeats, or
 * that a program made it, and the key of its request: no id that a caller may choose has a space.
 */
export function callIdOf(id: string, { once, repeats, foreign }: CallName): string {
  const own = once === undefined ? id : `key ${sanitiseText(once)}`;
  if (foreign) return `${program}${own}`;
  return repeats === undefined ? own : `${again}${repeats} ${own}`;
}

/** The call of a chat that such a call repeats. */
export function repeatedCall(callId: string): string | undefined {
  return callId.startsWith(again) ? callId.slice(again.length).split(' ', 1)[0] : undefined;
}

const again = 'again ';
const program = 'program ';

/** Whether the words of a call are those of a program that nobody vouched for. */
export function isForeignCall(callId: string): boolean {
  return callId.startsWith(program);
}

/** Whether a call was made by the same request; an earlier version did not write its key down. */
function isSame(before: ToolCallRecord, name: CallName, record: ToolCallRecord): boolean {
  const { serverId, toolName, argsHash } = record;
  const mayBe = before.callId === callIdOf(before.id, name) || before.callId === before.id;
  const isEqual = before.serverId === serverId && before.toolName === toolName;
  return mayBe && isEqual && before.argsHash === argsHash;
}

/** Only what never left; and a denial is an answer. */
function mayBeMadeAgain({ state, reach }: ToolCallRecord): boolean {
  return reach === 'never-left' && state !== 'denied';
}

/** Its key stays known for as long as keys are, so that nothing happens twice. */
function wasRemoved(): CeriseError {
  return new CeriseError(
    'tool_call_not_found',
    say('first-call-removed')`The call this request made earlier has been deleted.`,
    { hint: say('idempotency-new')`Use a new Idempotency-Key for a new request.` },
  );
}

function stillRuns(toolCallId: string): CeriseError {
  return new CeriseError(
    'conflict',
    say('first-call-runs')`The call this request made earlier is still running.`,
    {
      hint: say('look-at-call')`Check call ${toolCallId}.`,
      details: { toolCallId },
    },
  );
}
