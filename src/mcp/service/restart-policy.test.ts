import { describe, expect, it } from 'vitest';
import { CeriseError, type ErrorCode } from '#shared/errors/errors.ts';
import { RestartPolicy } from './restart-policy.ts';

const error = (code: ErrorCode, status?: number) =>
  new CeriseError(code, 'No.', status === undefined ? {} : { details: { status } });
const second = 1000;
const middle = () => 0.5;

describe('pauses', () => {
  it('double from one second to one minute', () => {
    const policy = new RestartPolicy(middle);
    const pauses = Array.from({ length: 9 }, () =>
      policy.failed(error('connection_refused'), false, 0),
    );
    expect(
      pauses.map((step) => (step.state === 'reconnecting' ? step.pause / second : step)),
    ).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('vary by a quarter either way', () => {
    for (const [random, pause] of [
      [0, 750],
      [1, 1250],
    ] as const)
      expect(new RestartPolicy(() => random).failed(error('timed_out'), false, 0)).toEqual({
        state: 'reconnecting',
        pause,
      });
  });

  it('start anew after a minute of health, not before', () => {
    for (const [health, pause] of [
      [59_999, 4000],
      [60_000, 1000],
    ] as const) {
      const policy = new RestartPolicy(middle);
      policy.failed(error('connection_lost'), false, 0);
      policy.failed(error('connection_lost'), false, 0);
      policy.connected(0);
      expect(policy.failed(error('connection_lost'), false, health)).toMatchObject({ pause });
    }
  });
});

describe('giving up', () => {
  it('comes after five crashes within five minutes', () => {
    const policy = new RestartPolicy();
    const steps = [0, 60, 120, 180, 299].map((at) =>
      policy.failed(error('connection_lost'), true, at * second),
    );
    expect(steps.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 4 }, () => 'reconnecting'),
      'failed',
    ]);
    expect(steps.at(-1)).toEqual({ state: 'failed', crashes: 5 });
  });

  it('does not come when the crashes are further apart, or when they are not crashes', () => {
    const policy = new RestartPolicy();
    for (let at = 0; at < 3000; at += 76)
      expect(policy.failed(error('connection_lost'), true, at * second).state).toBe('reconnecting');
    for (let at = 0; at < 20; at++)
      expect(policy.failed(error('connection_refused'), false, at).state).toBe('reconnecting');
  });

  it('is forgotten when a person asks for a new start', () => {
    const policy = new RestartPolicy();
    for (let at = 0; at < 5; at++) policy.failed(error('connection_lost'), true, at);
    policy.reset();
    expect(policy.failed(error('connection_lost'), true, 6).state).toBe('reconnecting');
  });

  it.each(['command_not_found', 'invalid_server', 'protocol_error', 'address_blocked'] as const)(
    'comes at once for %s, which time does not mend',
    (code) =>
      expect(new RestartPolicy().failed(error(code), false, 0)).toEqual({ state: 'failed' }),
  );

  it.each([
    [400, 'failed'],
    [401, 'needs-auth'],
    [403, 'failed'],
    [404, 'failed'],
    [408, 'reconnecting'],
    [429, 'reconnecting'],
    [500, 'reconnecting'],
    [503, 'reconnecting'],
  ])('with HTTP status %i leads to %s', (status, state) => {
    expect(new RestartPolicy().failed(error('http_error', status), false, 0).state).toBe(state);
  });

  it('waits for a person who has to sign in', () => {
    expect(new RestartPolicy().failed(error('sign_in_required'), false, 0)).toEqual({
      state: 'needs-auth',
    });
  });

  it.each([
    [undefined, 'needs-auth'],
    [400, 'needs-auth'],
    [429, 'reconnecting'],
    [503, 'reconnecting'],
  ])('of a sign-in with status %s of the authorization server leads to %s', (status, state) => {
    expect(new RestartPolicy().failed(error('sign_in_failed', status), false, 0).state).toBe(state);
  });
});

describe('T90: a clock that was set back', () => {
  it('keeps no crash of before in the count', () => {
    const policy = new RestartPolicy(middle);
    const hour = 3_600_000;
    const crash = (at: number) => policy.failed(error('connection_lost'), true, at).state;
    for (let n = 0; n < 4; n += 1) expect(crash(hour)).toBe('reconnecting');
    expect(crash(0)).toBe('reconnecting');
    for (let n = 0; n < 3; n += 1) expect(crash(0)).toBe('reconnecting');
    expect(crash(0)).toBe('failed');
  });
});
