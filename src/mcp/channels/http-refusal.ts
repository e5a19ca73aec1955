import { CeriseError } from '#shared/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { say } from '#shared/sentence.ts';
import { notSent } from '../protocol/channel.ts';
import type { RequestId, RpcAnswer } from '../protocol/messages.ts';
import { classifyStatus } from './http-errors.ts';
import type { ResponseHead } from './http-message.ts';

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
  | { kind: 'session-lost'; error: CeriseError }
  | { kind: 'failed'; error: CeriseError };

/** These speak of the way to the server, whatever words their body has for it. */
const aboutTheWay: ReadonlySet<number> = new Set([401, 403, 407, 429, 502, 503, 504]);

/** Judges a refusal. Pure. */
export function judgeRefusal(refusal: Refusal): RefusalVerdict {
  const { head, text, id, inSession } = refusal;
  const body = errorBody(text);
  if (id !== undefined && body && isSameId(body.id, id))
    return { kind: 'answer', answer: toAnswer(body, id) };
  if (inSession && isSessionLoss(head.status, text)) {
    return { kind: 'session-lost', error: sessionLost(head) };
  }
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
  return { kind: 'failed', error };
}

function isSameId(given: Json | undefined, id: RequestId): boolean {
  return given === id || given === String(id);
}

/** Many servers forget their sessions when they restart and say so with 400 instead of 404. */
function isSessionLoss(status: number, text: string): boolean {
  return status === 404 || (status === 400 && /session/i.test(text));
}

function sessionLost({ status, url }: ResponseHead): CeriseError {
  return new CeriseError(
    'connection_refused',
    say(
      'session-unknown',
    )`${url.host} no longer knows our session, so the request was not carried out.`,
    {
      hint: say('session-unknown-hint')`The server was probably restarted. Connecting again helps.`,
      details: { status, ...notSent },
    },
  );
}

function toAnswer(body: JsonObject, id: RequestId): RpcAnswer {
  return { jsonrpc: '2.0', id, error: body.error as unknown as RpcAnswer['error'] };
}

/** The body if it is a JSON-RPC error. */
function errorBody(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && value.jsonrpc === '2.0' && isJsonObject(value.error)
      ? value
      : undefined;
  } catch {
    // A page for people, or nothing: then the status has to do.
    return undefined;
  }
}
