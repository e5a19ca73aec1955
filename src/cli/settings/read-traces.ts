import type { HostOptions } from '#chat/host/host.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { decodePercent } from '#shared/text/decode-percent.ts';

/** Where traces go and what is in them. */
export type TraceSettings = NonNullable<HostOptions['traces']>;

/** By the variables of OpenTelemetry; undefined where no collector is named. Throws CeriseError `bad_setting`. */
export function readTraces(env: NodeJS.ProcessEnv): TraceSettings | undefined {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const base = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const isOff = env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  if (isOff || (!own && !base)) return undefined;
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  const url = URL.parse(own || `${base?.replace(/\/+$/, '')}/v1/traces`);
  // The address may hold a key: it is not repeated.
  if (!url || !/^https?:$/.test(url.protocol) || protocol === 'grpc')
    throw new CeriseError(
      'bad_setting',
      say('cli-otlp')`OTEL_EXPORTER_OTLP_ENDPOINT isn't the URL of an OTLP/HTTP collector.`,
      { hint: say('cli-otlp-hint')`Use http://HOST:4318. Cerise sends JSON over HTTP, not gRPC.` },
    );
  const compression =
    env['OTEL_EXPORTER_OTLP_TRACES_COMPRESSION'] ?? env['OTEL_EXPORTER_OTLP_COMPRESSION'];
  const headers = pairs(
    env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS'],
  );
  return {
    url: url.href,
    headers,
    compress: compression === 'gzip',
    resource: {
      'service.name': 'cerise',
      ...pairs(env['OTEL_RESOURCE_ATTRIBUTES']),
      ...(env['OTEL_SERVICE_NAME'] && { 'service.name': env['OTEL_SERVICE_NAME'] }),
    },
    timeoutMs: Number(env['OTEL_EXPORTER_OTLP_TIMEOUT']) || 10_000,
    content: env['CERISE_TRACE_CONTENT'] === '1',
    ratio: readRatio(env),
  };
}

function readRatio(env: NodeJS.ProcessEnv): number {
  const sampler = env['OTEL_TRACES_SAMPLER'] ?? '';
  if (sampler.endsWith('always_off')) return 0;
  if (!sampler.endsWith('traceidratio')) return 1;
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] ?? 1);
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}

/** `name=value,name=value`, percent-encoded, as OpenTelemetry writes headers and attributes. */
function pairs(text: string | undefined): Record<string, string> {
  const parts = (text ?? '').split(',').map((part) => part.split('='));
  return Object.fromEntries(
    parts.flatMap(([name = '', ...value]) =>
      name.trim() === '' ? [] : [[name.trim(), decodePercent(value.join('=').trim())]],
    ),
  );
}
