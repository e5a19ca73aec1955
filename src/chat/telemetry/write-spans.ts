import type { Attributes, Span } from './span.ts';

const kinds = { internal: 1, client: 3 };

/**
 * A span as OTLP writes it in JSON. It is written at once and piece by piece: the objects that `JSON.stringify` would
 * take are three for each attribute.
 */
export function writeSpan(span: Span): string {
  const { traceId, spanId, parentSpanId, name, kind, startMs, endMs, error, links = [] } = span;
  const parent = parentSpanId === undefined ? '' : `"parentSpanId":"${parentSpanId}",`;
  const linked = links.length === 0 ? '' : `,"links":${JSON.stringify(links)}`;
  const failed = error === undefined ? undefined : JSON.stringify(error);
  const status = failed === undefined ? '' : `,"status":{"code":2,"message":${failed}}`;
  const attributes = writeAttributes({ ...span.attributes, 'error.type': error });
  return (
    `{"traceId":"${traceId}","spanId":"${spanId}",${parent}"name":${JSON.stringify(name)},` +
    `"kind":${kinds[kind]},"startTimeUnixNano":"${nanoseconds(startMs)}",` +
    `"endTimeUnixNano":"${nanoseconds(Math.max(startMs, endMs))}",` +
    `"attributes":[${attributes}]${linked}${status}}`
  );
}

/** The body of a request with these spans, as `writeSpan` wrote them. */
export function writeBatch(spans: readonly string[], resource: Record<string, string>): string {
  return (
    `{"resourceSpans":[{"resource":{"attributes":[${writeAttributes(resource)}]},` +
    `"scopeSpans":[{"scope":{"name":"cerise"},"spans":[${spans.join()}]}]}]}`
  );
}

function writeAttributes(attributes: Attributes): string {
  let written = '';
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    written += `${written && ','}{"key":${JSON.stringify(key)},"value":${writeValue(value)}}`;
  }
  return written;
}

function writeValue(value: string | number | boolean): string {
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(value)}}`;
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  return Number.isInteger(value)
    ? `{"intValue":"${value}"}`
    : `{"doubleValue":${JSON.stringify(value)}}`;
}

/** Whole microseconds: a number holds them exactly, nanoseconds not. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}
