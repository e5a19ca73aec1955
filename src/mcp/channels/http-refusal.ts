import { say } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import { classifyStatus } from '../http/http-errors.ts';
import type { ResponseHead } from '../http/http-message.ts';
import { SessionLost } from '../protocol/channel.ts';
import type { RequestId, RpcAnswer } from '../protocol/messages.ts';

/** An answer with a status that is no success, and the message it answers. */
export interface Refusal {
  head: ResponseHead;
  text: string;
  /** The id of the message, if it was a request. */
  id: RequestId | undefined;
  /** The message was sent in a session. */
  inSession: boolean;
  repeatable: boolean;
}

/** What a refusal means. */
export type RefusalVerdict =
  /** It carries the server's own error answer. */
  | { kind: 'answer'; answer: RpcAnswer }
  | { kind: 'session-lost'; error: SessionLost }
  | { kind: 'failed'; error: CallError };

/** These speak of the way to the server, whatever words their body has for it. */
const aboutTheWay: ReadonlySet<number> = new Set([401, 403, 407, 429, 502, 503, 504]);

/** Judges a refusal. Pure. */
export function judgeRefusal(refusal: Refusal): RefusalVerdict {
  const { head, text, id, inSession } = refusal;
  const body = errorBody(text);
  if (id !== undefined && body && isSameId(body.id, id))
    return { kind: 'answer', answer: toAnswer(body, id) };
  const lost = inSession ? sessionLost(head, text) : undefined;
  if (lost) return { kind: 'session-lost', error: lost };
  const anonymous = body !== undefined && (body.id === undefined || body.id === null);
  if (id !== undefined && anonymous && !aboutTheWay.has(head.status)) {
    return { kind: 'answer', answer: toAnswer(body, id) };
  }
  const { status, headers, url } = head;
  const error = classifyStatus({
    status,
    headers,
    host: url.host,
    text,
    repeatable: refusal.repeatable,
  });
  // A server that failed, or a gateway before it, may have done the work; any other refusal is an answer.
  return { kind: 'failed', error: CallError.of(error, status >= 500 ? 'left' : 'ended') };
}

function isSameId(given: Json | undefined, id: RequestId): boolean {
  return given === id || given === String(id);
}

/**
 * Only a 404 to our own session says that nothing was carried out. Many servers that forgot it say so with
 * a 400 instead: a new session is begun then too, but a 400 that speaks of sessions may mean anything.
 */
function sessionLost({ status, url }: ResponseHead, text: string): SessionLost | undefined {
  const about = {
    hint: say('session-unknown-hint')`The server was probably restarted. Reconnect to it.`,
    details: { status },
  };
  if (status === 404) {
    const message = say(
      'session-unknown',
    )`${url.host} no longer recognises this session, so the request wasn't run.`;
    return new SessionLost('never-left', 'connection_refused', message, about);
  }
  if (status !== 400 || !/session/i.test(text)) return undefined;
  const message = say('session-refused')`${url.host} rejected the request and this session (400).`;
  return new SessionLost('ended', 'connection_refused', message, about);
}

function toAnswer(body: JsonObject, id: RequestId): RpcAnswer {
  return { jsonrpc: '2.0', id, error: body.error as unknown as RpcAnswer['error'] };
}

/** The body if it is a JSON-RPC error; for a page for people, or nothing, the status has to do. */
function errorBody(text: string): JsonObject | undefined {
  const value = parseJson(text);
  const isError = isJsonObject(value) && value.jsonrpc === '2.0' && isJsonObject(value.error);
  return isError ? value : undefined;
}
