import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ServerStatus, StatusBoard } from './server-status.ts';

function board() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const told: ServerStatus[] = [];
  const status = new StatusBoard('connecting', (each) => told.push(each));
  return { status, told: () => told.map(({ state, output }) => output ?? state) };
}

describe('an installation', () => {
  it('tells one step a second, and the last one in any case', () => {
    const { status, told } = board();
    for (const step of ['one', 'two', 'three']) status.installing(step);
    expect(told()).toEqual(['one']);
    vi.advanceTimersByTime(1000);
    expect(told()).toEqual(['one', 'three']);
    vi.advanceTimersByTime(60_000);
    expect(told()).toEqual(['one', 'three']);
  });

  it('says nothing of itself once it is over', () => {
    const { status, told } = board();
    for (const step of ['one', 'two']) status.installing(step);
    status.installing(undefined);
    status.set('connected');
    vi.advanceTimersByTime(60_000);
    expect(told()).toEqual(['one', 'connecting', 'connected']);
  });
});
