import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { isRpcMessage, type RequestId, type RpcMessage } from '../protocol/messages.ts';

/** The messages in a text: one, or a batch as 2025-03-26 had them. Throws CeriseError. */
export function readMessages(text: string): RpcMessage[] {
  const value = parse(text);
  if (isRpcMessage(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isRpcMessage)) return value;
  throw unreadable(text, say('no-mcp-message')`isn't an MCP message`);
}

/** Whether a message is the answer to a request; some servers send numbers back as strings. */
export function answers(message: RpcMessage, id: RequestId): boolean {
  return !('method' in message) && (message.id === id || String(message.id) === String(id));
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
