import { listen } from './loopback.ts';

/** A span as it arrived, with its attributes as plain values. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status?: { code: number; message?: string };
  links?: { traceId: string; spanId: string }[];
  attributes: Record<string, unknown>;
}

interface Sent {
  resourceSpans: {
    resource: { attributes: Pair[] };
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Pair[] })[] }[];
  }[];
}
interface Pair {
  key: string;
  value: Record<string, unknown>;
}

/** A collector that takes OTLP over HTTP in JSON; `refusals` are the statuses it answers first. */
export async function startReceiver(refusals: number[] = []) {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const headers: Headers[] = [];
  const server = await listen(async (request) => {
    const body = await request.text();
    headers.push(request.headers);
    const refusal = refusals.shift();
    if (refusal !== undefined) return Response.json({}, { status: refusal });
    bodies.push(body);
    for (const { scopeSpans } of (JSON.parse(body) as Sent).resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: plain(span.attributes) });
    return Response.json({});
  });
  return {
    url: `${server.url}/v1/traces`,
    spans,
    bodies,
    headers,
    close: () => server.close(),
  };
}

function plain(pairs: Pair[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}
