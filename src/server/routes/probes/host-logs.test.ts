import { describe, expect, it } from 'vitest';
import type { HostLogEvent, HostLogView, LogLevelView } from '#shared/telemetry/log-api.ts';
import { createSseParser } from '#shared/text/sse-parser.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { describeEachDatabase } from '../../../../test/databases.ts';
import { errorOf, openApi, type TestApi } from '../../../../test/fixtures/http.ts';

function listening() {
  const lines: string[] = [];
  const write = (fields: object, message: string): void =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  return { lines, logger };
}

const read = (api: TestApi, query = '') => api.json<HostLogView>('GET', `/api/host/logs${query}`);
const setLevel = (api: TestApi, level: string | null) =>
  api.json<LogLevelView>('PUT', '/api/host/logs', { level });

async function* eventsOf(api: TestApi, after = '') {
  const query = after && `?after=${encodeURIComponent(after)}`;
  const response = await api.send('GET', `/api/host/logs/events${query}`);
  const parse = createSseParser();
  for await (const part of response.body ?? [])
    for (const { id, data } of parse(part)) yield { id, event: JSON.parse(data) as HostLogEvent };
}

describe('the log of the host', () => {
  it('has the lines of the output without secrets, and is filtered by level and text', async () => {
    const { lines, logger } = listening();
    const api = await openApi({ logger, logLevel: 'info' });
    api.host.logger.debug({}, 'Below the level');
    api.host.logger.info({ server: 'shop', deep: { apiKey: 'canary-1' } }, 'Connected');
    api.host.logger.error({ reason: 'Bearer canary-token-2' }, 'Refused by authorization');
    const log = await read(api);
    expect(log).toMatchObject({ level: 'info', usual: 'info', instance: { pid: process.pid } });
    expect(log.lines.map(({ message }) => message)).toEqual([
      'Connected',
      'Refused by authorization',
    ]);
    expect(JSON.stringify(log) + lines.join()).not.toMatch(/canary|Below/);
    expect(lines).toHaveLength(2);
    expect((await read(api, '?level=error')).lines).toMatchObject([{ level: 'error', n: 2 }]);
    expect((await read(api, '?text=SHOP')).lines).toMatchObject([{ message: 'Connected' }]);
  });

  it('keeps its last lines only', async () => {
    const { logger } = listening();
    const api = await openApi({ logger, limits: { hostLog: 16 * 1024 } });
    for (let n = 0; n < 1000; n += 1) api.host.logger.info({ n }, 'A line');
    const { lines } = await read(api);
    expect(lines.length).toBeLessThan(200);
    expect(lines.at(-1)?.fields).toBe('{"n":999}');
  });

  it('is streamed: what is there, then each line and level as they come, and later what came since', async () => {
    const { logger } = listening();
    const api = await openApi({ logger, logLevel: 'warn' });
    api.host.logger.warn({}, 'First');
    const events = eventsOf(api);
    const first = (await events.next()).value;
    expect(first?.event).toMatchObject({ log: { lines: [{ message: 'First' }] } });
    await setLevel(api, 'info');
    expect((await events.next()).value?.event).toMatchObject({ level: { level: 'info' } });
    api.host.logger.info({}, 'Second');
    expect((await events.next()).value?.event).toMatchObject({ line: { message: 'Second' } });
    await events.return();
    const again = (await eventsOf(api, first?.id).next()).value?.event;
    expect(again).toMatchObject({ log: { lines: [{ message: 'Second' }] } });
    const other = (await eventsOf(api, 'another/1').next()).value?.event;
    expect(other).toMatchObject({ log: { lines: [{ message: 'First' }, { message: 'Second' }] } });
  });

  it('is not for a key without the scope admin', async () => {
    const api = await openApi();
    const { key } = await api.json<{ key: string }>('POST', '/api/keys', {
      name: 'chat',
      scopes: ['chat'],
    });
    const headers = { authorization: `Bearer ${key}` };
    const refused = await api.raw('GET', '/api/host/logs', { headers });
    expect(await errorOf(refused)).toMatchObject({ status: 403 });
  });

  describeEachDatabase((_open, fresh) => {
    it('has a level that every instance takes, also one that starts, until an hour has passed', async () => {
      let time = Date.now();
      const place = await fresh();
      const options = { ...listening(), logLevel: 'warn', now: () => time, place };
      const api = await openApi(options);
      expect(await setLevel(api, 'debug')).toMatchObject({ level: 'debug', usual: 'warn' });
      if (place.databaseUrl) {
        const other = await openApi(options);
        expect(await read(other)).toMatchObject({ level: 'debug', until: time + 3_600_000 });
        expect(await setLevel(other, null)).toEqual({ level: 'warn', usual: 'warn' });
        await expect.poll(async () => (await read(api)).level).toBe('warn');
        await setLevel(other, 'debug');
        await other.close();
      }
      await api.close();
      time += 3_599_000;
      const soon = await openApi(options);
      expect(await read(soon)).toMatchObject({ level: 'debug' });
      await soon.close();
      time += 2_000;
      const late = await openApi(options);
      const { level, until } = await read(late);
      expect({ level, until }).toEqual({ level: 'warn', until: undefined });
    });
  });
});
