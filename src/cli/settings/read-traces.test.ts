import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readTraces } from './read-traces.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

it('sends no traces unless a collector is named, and contents only where that is said', () => {
  expect(readTraces({})).toBeUndefined();
  expect(readTraces({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(readTraces({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
  expect(readTraces(endpoint)).toMatchObject({
    url: 'http://127.0.0.1:4318/v1/traces',
    content: false,
    ratio: 1,
    resource: { 'service.name': 'cerise' },
  });
});

it('reads the variables of OpenTelemetry that the guide lists', () => {
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/own',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc=,x=1',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    OTEL_SERVICE_NAME: 'chat',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
    CERISE_TRACE_CONTENT: '1',
  };
  expect(readTraces(env)).toEqual({
    url: 'https://collector.example/own',
    headers: { authorization: 'Basic abc=', x: '1' },
    compress: true,
    timeoutMs: 500,
    resource: { 'service.name': 'chat', 'deployment.environment.name': 'prod' },
    ratio: 0.1,
    content: true,
  });
  const guide = readFileSync(new URL('../../../docs/observability.md', import.meta.url), 'utf8');
  for (const name of Object.keys({ ...env, ...endpoint })) expect(guide).toContain(name);
});

it('refuses what is no OTLP over HTTP, without repeating an address that may hold a key', () => {
  for (const env of [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'canary' },
    { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ])
    expect(() => readTraces(env)).toThrow(/^OTEL_EXPORTER_OTLP_ENDPOINT isn't/);
});
