/** What is said of a span; what is undefined is left out. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** Something that took time, as OpenTelemetry knows it. Times are milliseconds since 1970. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  name: string;
  kind: 'internal' | 'client';
  startMs: number;
  endMs: number;
  attributes: Attributes;
  /** The code of what it failed with. */
  error?: string | undefined;
  links?: { traceId: string; spanId: string }[];
}

/** Where spans go. */
export interface SpanSink {
  add(span: Span): void;
  /** Sends what is left, within a moment. */
  close(): Promise<void>;
}
