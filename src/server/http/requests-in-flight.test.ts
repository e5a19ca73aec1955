import { describe, expect, it } from 'vitest';
import { RequestsInFlight } from './requests-in-flight.ts';

const forever = 2 ** 31 - 1;

describe('the requests in flight', () => {
  it('are waited for until the last of them has its answer, a failed one too', async () => {
    const requests = new RequestsInFlight();
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const tracked = [requests.track(first.promise), requests.track(second.promise)];
    let settled = false;
    const settling = requests.settle(forever).then(() => (settled = true));
    first.resolve('done');
    expect(await tracked[0]).toBe('done');
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    second.reject(new Error('broken'));
    await expect(tracked[1]).rejects.toThrow('broken');
    expect(await settling).toBe(true);
  });

  it('are not waited for when there are none, or no longer than told', async () => {
    const requests = new RequestsInFlight();
    await requests.settle(forever);
    void requests.track(new Promise(() => undefined));
    await requests.settle(0);
    expect(requests.track('at once')).toBe('at once');
  });
});
