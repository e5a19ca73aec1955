import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { McpRequestWatch, TelemetryDetail } from '#shared/telemetry/telemetry.ts';
import type { Channel } from './channel.ts';
import type { Greeting } from './greeting.ts';

const transports: Partial<Record<Channel['kind'], string>> = { stdio: 'pipe', inMemory: 'inproc' };
/** Requests whose `name` is one of few that a server lists; addresses of resources may hold secrets. */
const named: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

/** What tells of each request to one server: its method and target, never its arguments. */
export function watchRequests(
  { channel, server }: { channel: Channel; server: { id: string } },
  detail: Pick<TelemetryDetail, 'requestStarted'>,
  greeting: () => Greeting | undefined,
): (method: string, params: JsonObject, id: number) => McpRequestWatch {
  return (method, params, requestId) => {
    const { name, _meta: meta } = params;
    const traceparent = isJsonObject(meta) ? meta['traceparent'] : undefined;
    return detail.requestStarted({
      serverId: server.id,
      serverType: channel.kind,
      transport: transports[channel.kind] ?? 'tcp',
      method,
      requestId,
      target: named.has(method) && typeof name === 'string' ? name : undefined,
      protocolVersion: greeting()?.agreement.version,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
  };
}
