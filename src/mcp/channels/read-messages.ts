import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { type JsonBounds, jsonExcess } from '#shared/vocabulary/json.ts';
import { isRpcMessage, type RequestId, type RpcMessage } from '../protocol/messages.ts';
import { crowdedAnswer } from './oversized-answer.ts';

/** Far deeper than anything that is used. */
const mostDepth = 10_000;
/** An object with more fields than this takes far longer than a list. */
const mostFields = 10_000;

/**
 * The messages in a text: one, or a batch as 2025-03-26 had them. Throws CeriseError; where there is too much of a
 * message to read it, a CallError, with which the request fails that it answers.
 */
export function readMessages(text: string, mostParts: number): RpcMessage[] {
  assertBounds(text, { depth: mostDepth, parts: mostParts, fields: mostFields });
  const value = parse(text);
  if (isRpcMessage(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isRpcMessage)) return value;
  throw unreadable(text, say('no-mcp-message')`isn't an MCP message`);
}

/** Whether a message is the answer to a request; some servers send numbers back as strings. */
export function answers(message: RpcMessage, id: RequestId): boolean {
  return !('method' in message) && (message.id === id || String(message.id) === String(id));
}

function assertBounds(text: string, bounds: JsonBounds): void {
  // The fewest characters that anything beyond a bound has.
  if (text.length <= Math.min(bounds.depth, bounds.parts)) return;
  const excess = jsonExcess(text, bounds);
  if (excess === 'depth') {
    const reason = say('depth-most')`is nested more than ${bounds.depth} levels deep`;
    throw CallError.of(unreadable(text, reason), 'ended');
  }
  if (excess) throw crowdedAnswer(excess, bounds[excess]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(text, say('no-json')`isn't valid JSON`, error);
  }
}

function unreadable(text: string, reason: Words, cause?: unknown): CeriseError {
  return new CeriseError(
    'unreadable_response',
    say('answer-unreadable')`The server's response ${reason}.`,
    {
      hint: say(
        'answer-unreadable-hint',
      )`Check that this is the URL of an MCP server, and check its log.`,
      details: { text: text.slice(0, 200) },
      cause,
    },
  );
}
