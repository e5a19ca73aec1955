import { describe, expect, it } from 'vitest';
import { Stop, toAbortSignal } from './stop.ts';

describe('Stop', () => {
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
    const gone = (): void => void heard.push('gone');
    stop.addEventListener('abort', gone);
    stop.addEventListener('abort', () => heard.push('there'));
    stop.removeEventListener('abort', gone);
    stop.removeEventListener('abort', gone);
    stop.abort();
    expect(heard).toEqual(['there']);
  });
});

describe('toAbortSignal', () => {
  it('gives a real signal that follows the stop', () => {
    const stop = new Stop();
    const signal = toAbortSignal(stop);
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(signal.aborted).toBe(false);
    stop.abort();
    expect(signal.aborted).toBe(true);
  });

  it('gives an aborted signal for a stop that is over, and a real one back as it is', () => {
    const stop = new Stop();
    stop.abort();
    expect(toAbortSignal(stop).aborted).toBe(true);
    const { signal } = new AbortController();
    expect(toAbortSignal(signal)).toBe(signal);
  });
});
