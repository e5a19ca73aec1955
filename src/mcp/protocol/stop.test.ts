import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Stop, toAbortSignal } from './stop.ts';

describe('Stop', () => {
  it('makes no AbortController for the one who listens', () => {
    const made = vi.spyOn(globalThis, 'AbortController');
    onTestFinished(() => made.mockRestore());
    const stop = new Stop();
    const heard: string[] = [];
    const listener = (): void => void heard.push(String(stop.reason));
    stop.addEventListener('abort', listener);
    stop.removeEventListener('abort', listener);
    stop.addEventListener('abort', listener);
    stop.abort('over');
    expect(heard).toEqual(['over']);
    expect(made).not.toHaveBeenCalled();
  });

  it('tells everybody who listens, once, and is aborted before they hear of it', () => {
    const stop = new Stop();
    const heard: string[] = [];
    stop.addEventListener('abort', () => heard.push(`one ${stop.aborted}`));
    stop.addEventListener('abort', () => heard.push(`two ${stop.aborted}`));
    expect(stop.aborted).toBe(false);
    stop.abort();
    stop.abort();
    expect(heard).toEqual(['one true', 'two true']);
  });

  it('tells nobody who has stopped listening', () => {
    const stop = new Stop();
    const heard: string[] = [];
    const [one, two] = ['one', 'two'].map((name) => () => void heard.push(name));
    for (const listener of [one, two]) if (listener) stop.addEventListener('abort', listener);
    if (two) stop.removeEventListener('abort', two);
    if (one) stop.removeEventListener('abort', one);
    stop.addEventListener('abort', () => heard.push('there'));
    stop.abort();
    expect(heard).toEqual(['there']);
  });

  it('has a signal that follows it, also if it is asked for afterwards', () => {
    const [before, after] = [new Stop(), new Stop()];
    const { signal } = before;
    expect(signal.aborted).toBe(false);
    for (const stop of [before, after]) stop.abort('over');
    expect([signal.reason, after.signal.reason]).toEqual(['over', 'over']);
    expect(toAbortSignal(after)).toBe(after.signal);
    expect(toAbortSignal(signal)).toBe(signal);
  });
});
