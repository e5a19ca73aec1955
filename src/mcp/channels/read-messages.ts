import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { type JsonBounds, jsonExcess } from '#shared/vocabulary/json.ts';
import { isRpcMessage, type RequestId, type RpcMessage } from '../protocol/messages.ts';
import { crowdedAnswer, crowdedAnswerId } from './oversized-answer.ts';

/** Far deeper than anything that is used. */
const mostDepth = 10_000;
/** An object with more fields than this takes far longer than a list. */
const mostFields = 10_000;

/**
 * The messages in a text: one, or a batch as 2025-03-26 had them. Throws CeriseError; where there is too much of a
 * message to read it, a CallError, with which the request fails that it answers. Without `mostParts` it is read whatever
 * it has.
 */
export function readMessages(text: string, mostParts?: number): RpcMessage[] {
  if (mostParts !== undefined)
    assertBounds(text, { depth: mostDepth, parts: mostParts, fields: mostFields });
  const value = parse(text);
  if (isRpcMessage(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isRpcMessage)) return value;
  throw unreadable(text, say('no-mcp-message')`isn't an MCP message`);
}

/** Whether a message asks for a list. Those are bounded entry by entry: one bad tool hides no other. */
export function asksForList(message: RpcMessage): boolean {
  return 'method' in message && message.method.endsWith('/list');
}

/** Reads messages of a server that come on one stream, whichever request they answer. */
export class MessageReader {
  readonly #mostParts: number;
  /** The requests for lists that were not answered yet. */
  readonly #lists = new Set<RequestId>();

  constructor(mostParts: number) {
    this.#mostParts = mostParts;
  }

  /** Takes note of a message that is sent. */
  noteSent(message: RpcMessage): void {
    if (asksForList(message) && 'id' in message) this.#lists.add(message.id);
  }

  /** As `readMessages` does; what answers a request for a list is read whatever it has. */
  read(text: string): RpcMessage[] {
    const messages = this.#read(text);
    for (const message of messages) if (!('method' in message)) this.#lists.delete(message.id);
    return messages;
  }

  #read(text: string): RpcMessage[] {
    try {
      return readMessages(text, this.#mostParts);
    } catch (error) {
      const id = error instanceof CallError ? crowdedAnswerId(text) : undefined;
      if (id === undefined || !this.#lists.has(id)) throw error;
      return readMessages(text);
    }
  }
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
