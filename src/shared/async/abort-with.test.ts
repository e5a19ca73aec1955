import { describe, expect, it } from 'vitest';
import { abortWith } from './abort-with.ts';

describe('a controller that is aborted with signals', () => {
  it('is aborted with the first of them, for its reason', () => {
    const [controller, one, other] = [0, 1, 2].map(() => new AbortController());
    if (!controller || !one || !other) throw new Error('three were made');
    abortWith(controller, [one.signal, other.signal]);
    expect(controller.signal.aborted).toBe(false);
    other.abort('the other');
    one.abort('the one');
    expect(controller.signal.reason).toBe('the other');
  });

  it('is aborted at once with one that is aborted already', () => {
    const controller = new AbortController();
    abortWith(controller, [AbortSignal.abort('long ago')]);
    expect(controller.signal.reason).toBe('long ago');
  });

  it('is not aborted with any of them once it is let go', () => {
    const [controller, parent] = [new AbortController(), new AbortController()];
    abortWith(controller, [parent.signal])();
    parent.abort();
    expect(controller.signal.aborted).toBe(false);
  });
});
