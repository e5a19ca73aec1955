import { say } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';

/** The request an oversized answer belongs to, from its two ends; writers put the id first or last. */
export function oversizedAnswerId(head: string, tail: string): number | undefined {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/.exec(head) ??
    /"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail);
  return found ? Number(found[1]) : undefined;
}

/** As much of either end as its id may stand in. */
const endChars = 200;

/** The same of an answer that is there as a whole. */
export function crowdedAnswerId(text: string): number | undefined {
  return oversizedAnswerId(text.slice(0, endChars), text.slice(-endChars));
}

/** The failure of a request whose answer has so many parts that reading it would hold up everybody. */
export function crowdedAnswer(excess: 'parts' | 'fields', most: number): CallError {
  const words =
    excess === 'parts'
      ? say(
          'message-parts',
        )`The server sent a message with more than ${most} objects, lists and fields.`
      : say('message-fields')`The server sent an object with more than ${most} fields.`;
  return new CallError('ended', 'result_too_large', words, {
    hint: say('message-over-hint')`Request less at a time, such as part of the file.`,
  });
}

/** The failure of a request whose answer was too large to keep. */
export function oversizedAnswer(most: number): CallError {
  const size = most / 1024 / 1024;
  return new CallError(
    'ended',
    'result_too_large',
    say('message-over')`The server sent a message larger than the limit of ${size} MiB.`,
    { hint: say('message-over-hint')`Request less at a time, such as part of the file.` },
  );
}
