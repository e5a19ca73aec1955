import { describe, expect, it } from 'vitest';
import { openApi } from '../../../test/fixtures/http.ts';
import { createReadiness } from './readiness.ts';

/** A database that answers when the test says so, and a clock that stands still. */
function slowDatabase(maxWaitMs = 60_000) {
  const asked: PromiseWithResolvers<void>[] = [];
  const clock = { now: 0 };
  const ping = () => {
    const answer = Promise.withResolvers<void>();
    asked.push(answer);
    return answer.promise;
  };
  const limits = { maxWaitMs, freshMs: 1_000 };
  return { asked, clock, ready: createReadiness(ping, limits, () => clock.now) };
}

describe('readiness', () => {
  it('asks once however many want to know, and again after a second', async () => {
    const { asked, clock, ready } = slowDatabase();
    const first = [ready(), ready(), ready()];
    expect(asked).toHaveLength(1);
    asked[0]?.resolve();
    expect(await Promise.all(first)).toEqual([[], [], []]);
    clock.now = 999;
    expect(await ready()).toEqual([]);
    expect(asked).toHaveLength(1);
    clock.now = 1_000;
    const later = ready();
    expect(asked).toHaveLength(2);
    asked[1]?.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432'));
    const problems = await later;
    expect(problems).toEqual([{ part: 'database', message: expect.any(String) }]);
    expect(JSON.stringify(problems)).not.toContain('10.0.0.5');
  });

  it('gives up on a database that is silent, does not ask it twice, and sees when it is back', async () => {
    const { asked, clock, ready } = slowDatabase(1);
    const silent = [{ part: 'database', message: expect.stringContaining('in time') }];
    expect(await ready()).toEqual(silent);
    clock.now = 5_000;
    expect(await Promise.all([ready(), ready(), ready()])).toEqual([silent, silent, silent]);
    expect(asked).toHaveLength(1);
    asked[0]?.resolve();
    await asked[0]?.promise;
    await expect.poll(ready, { interval: 1 }).toEqual([]);
    expect(asked).toHaveLength(1);
  });
});

describe('/readyz', () => {
  it('says what is missing while the database is, and /healthz does not care', async () => {
    const api = await openApi();
    expect(await (await api.raw('GET', '/readyz')).json()).toEqual({ status: 'ready' });
    const broken = await openApi();
    broken.host.ping = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432'));
    const response = await broken.raw('GET', '/readyz');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      status: 'not_ready',
      problems: [{ part: 'database', message: 'The database is not available.' }],
    });
    expect((await broken.raw('GET', '/healthz')).status).toBe(200);
  });
});
