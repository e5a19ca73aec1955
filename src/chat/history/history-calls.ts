import { hash } from 'node:crypto';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { nobodyToAsk } from '../calls/refusals.ts';
import { withNote } from '#tools/results/results.ts';

const legal = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Gives every call of a request an id that is unique and legal for every vendor. The target's own ids
 * stay; others, repeated and illegal ones become nine letters and digits (all that Mistral takes) that
 * depend on the call's place alone, so that they are the same in every round.
 */
export class CallIds {
  readonly #used = new Set<string>();

  take(block: Pick<ToolBlock, 'id' | 'callId'>, isOwn: boolean): string {
    let id = isOwn && legal.test(block.callId) ? block.callId : shortId(block.id);
    for (let n = 2; this.#used.has(id); n += 1)
      id = shortId(n === 2 ? block.id : `${block.id} ${n}`);
    this.#used.add(id);
    return id;
  }
}

function shortId(seed: string): string {
  return hash('sha256', seed, 'base64url').replaceAll(/[-_]/g, '').slice(0, 9).padEnd(9, '0');
}

/** A name every vendor takes: a model may have asked for a tool by any name it made up. */
export function legalToolName(name: string): string {
  const begins = /^[A-Za-z_]/.test(name) ? name : `_${name}`;
  if (name !== '' && legal.test(begins)) return begins;
  return name === '' ? 'unknown' : begins.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
}

const mayHaveHappened = 'It may have taken effect; check before repeating it.';

/** What is said where a call without a result certainly did not run. */
const neverRan: Partial<Record<ToolBlock['state'], string>> = {
  cancelled: 'This call was cancelled before it was sent. It did not run.',
  timed_out: 'This call took too long to start. It did not run.',
};

const withoutResult: Record<Exclude<ToolBlock['state'], 'succeeded' | 'failed'>, string> = {
  proposed: 'This call never ran: it was not approved.',
  approved: 'This call never ran.',
  dispatching: 'The outcome of this call is unknown: it may or may not have taken effect.',
  parked: 'This call is still waiting for the user to respond.',
  cancelled: 'The user cancelled this call. It may have had an effect before that.',
  timed_out: 'This call took too long and was cancelled. It may have had an effect.',
  denied: 'The user denied this call. It did not run.',
  outcome_unknown:
    'The outcome of this call is unknown: the connection was lost after it was sent, so it may or may not have taken effect. Do not assume either; check before repeating it.',
};

/** What the model is told of a call: its result, or in words what became of it. */
export function outcomeForModel(block: ToolBlock): ToolResult {
  if (block.result) return block.result;
  const hint = block.error?.hint;
  const text = [wordsFor(block), ...(hint ? [hint] : [])].join(' ');
  return { isError: true, content: [{ type: 'text', text }] };
}

function wordsFor({ state, reach, error, client }: ToolBlock): string {
  if (client) return 'No result was sent for this call.';
  if (state === 'denied' && error?.messageSaid?.id === nobodyToAsk.messageSaid?.id)
    return error?.message ?? '';
  const unrun = reach === 'never-left' ? neverRan[state] : undefined;
  if (unrun) return unrun;
  if (state !== 'succeeded' && state !== 'failed') return withoutResult[state];
  const reason = error?.message ?? 'The call failed.';
  return reach === 'left' ? `${reason} ${mayHaveHappened}` : reason;
}

/** A call that a person changed stays as the model made it, and its result says what ran instead. */
export function withEdits(
  { proposedArguments, ...block }: ToolBlock,
  result: ToolResult,
): ToolResult {
  if (!proposedArguments) return result;
  const text = `[The user changed the arguments before this call ran. They were: ${JSON.stringify(block.arguments)}]`;
  return withNote(result, text);
}
