import { hash } from 'node:crypto';
import type { TraceContext } from '#shared/vocabulary/tool.ts';

/** A place in a trace, as W3C Trace Context writes it. */
export interface TracePlace {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

/**
 * Ids follow from the ids of what they are for, so that every process and host that works on an answer knows
 * its trace, without a row for it: calls and rounds of before a restart hang below the same turn.
 */
export const spanIds = {
  turn: (answerId: string): string => digest(`turn ${answerId}`, 16),
  round: (answerId: string, round: number): string => digest(`round ${round} ${answerId}`, 16),
  call: (toolCallId: string): string => digest(toolCallId, 16),
};

/** The trace of an answer, or of a call outside of any: that of its caller, else one of its own. */
export function traceIdOf(id: string, caller?: TraceContext): string {
  return readTraceparent(caller?.traceparent)?.traceId ?? digest(id, 32);
}

/** What a server is told of one call: all calls of an answer share its trace, each is a span of its own. */
export function traceOf(answerId: string, toolCallId: string, caller?: TraceContext): TraceContext {
  const sampled = readTraceparent(caller?.traceparent)?.sampled ?? true;
  const place = { traceId: traceIdOf(answerId, caller), spanId: spanIds.call(toolCallId), sampled };
  const { tracestate } = caller ?? {};
  return { traceparent: toTraceparent(place), ...(tracestate !== undefined && { tracestate }) };
}

export function toTraceparent({ traceId, spanId, sampled }: TracePlace): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

const form =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Undefined for what is none. */
export function readTraceparent(text: string | undefined): TracePlace | undefined {
  const [, traceId, spanId, flags] = form.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const maxStateChars = 512;

/** The trace that the headers of a request name; undefined where they name none. */
export function readCaller({ headers }: Pick<Request, 'headers'>): TraceContext | undefined {
  return toCaller(headers.get('traceparent'), headers.get('tracestate'));
}

/** The same for what a program says of a request, wherever it says it. */
export function toCaller(traceparent: unknown, tracestate: unknown): TraceContext | undefined {
  const place = typeof traceparent === 'string' ? readTraceparent(traceparent) : undefined;
  if (!place) return undefined;
  const state = typeof tracestate === 'string' ? tracestate : '';
  const isUsable = state !== '' && state.length <= maxStateChars;
  return { traceparent: toTraceparent(place), ...(isUsable && { tracestate: state }) };
}

function digest(text: string, length: number): string {
  return hash('sha256', text).slice(0, length);
}
