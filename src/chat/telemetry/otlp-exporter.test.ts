import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '../../../test/fakes/otlp-receiver.ts';
import { OtlpExporter } from './otlp-exporter.ts';
import type { Span } from './span.ts';

const span = (name: string): Span => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name,
  kind: 'client',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_001,
  attributes: { whole: 3, part: 0.5, flag: true, absent: undefined },
});

async function open(refusals: number[] = [], more: { url?: string; compress?: boolean } = {}) {
  const receiver = await startReceiver(refusals);
  onTestFinished(() => receiver.close());
  const warnings: object[] = [];
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const options = { url: receiver.url, batchMs: 60_000, retryMs: 1, ...more };
  return { receiver, warnings, exporter: new OtlpExporter(options, logger) };
}

describe('OtlpExporter', () => {
  it('sends what waits when it is closed, in the form of OTLP', async () => {
    const { exporter, receiver } = await open();
    exporter.add(span('one'));
    await exporter.close();
    expect(receiver.spans).toMatchObject([
      {
        name: 'one',
        kind: 3,
        startTimeUnixNano: '1700000000000250000',
        endTimeUnixNano: '1700000000001000000',
        attributes: { whole: '3', part: 0.5, flag: true },
      },
    ]);
    expect(receiver.spans[0]?.attributes).not.toHaveProperty('absent');
  });

  it('sends what comes while it sends in batches of its own, not in a request for each', async () => {
    const { exporter, receiver } = await open();
    for (let index = 0; index < 512; index += 1) exporter.add(span('first'));
    const sending = exporter.flush();
    exporter.add(span('meanwhile'));
    await sending;
    expect(receiver.headers).toHaveLength(1);
    for (let index = 0; index < 10; index += 1) exporter.add(span('later'));
    await exporter.close();
    expect(receiver.headers).toHaveLength(2);
    expect(receiver.spans).toHaveLength(523);
  });

  it('tries again while the collector is busy, and gives up what it refuses for good', async () => {
    const busy = await open([503, 429]);
    busy.exporter.add(span('busy'));
    await busy.exporter.flush();
    expect(busy.receiver.spans).toHaveLength(1);
    expect(busy.receiver.headers).toHaveLength(3);
    const refused = await open([400]);
    refused.exporter.add(span('refused'));
    await refused.exporter.flush();
    expect(refused.receiver.headers).toHaveLength(1);
    expect(refused.warnings).toEqual([{ reason: 'The collector answered 400.', dropped: 1 }]);
  });

  it('holds a bounded number of spans, and says how many it dropped without naming its address', async () => {
    const { exporter, warnings } = await open([], { url: 'http://127.0.0.1:1/?key=canary' });
    for (let index = 0; index < 3000; index += 1) exporter.add(span('lost'));
    await exporter.close();
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('canary');
    expect(JSON.stringify(warnings)).toMatch(/"dropped":\d{3,}/);
  });
});
