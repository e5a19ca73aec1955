import { hash } from 'node:crypto';
import type { TraceContext } from '#shared/vocabulary/tool.ts';

/** The trace of one call: all calls of an answer share its trace, each is a span of its own. */
export function traceOf(answerId: string, toolCallId: string): TraceContext {
  return { traceparent: `00-${digest(answerId, 32)}-${digest(toolCallId, 16)}-01` };
}

function digest(text: string, length: number): string {
  return hash('sha256', text).slice(0, length);
}
