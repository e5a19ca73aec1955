import { describe, expect, it } from 'vitest';
import { createFrameQueue } from './frame-queue.ts';

function setUp() {
  const batches: number[][] = [];
  const frames: (() => void)[] = [];
  const queue = createFrameQueue<number>(
    (items) => batches.push(items),
    (run) => {
      frames.push(run);
      return () => frames.splice(frames.indexOf(run), 1);
    },
  );
  return { batches, frames, queue };
}

describe('createFrameQueue', () => {
  it('hands over everything of a frame at once and in order', () => {
    const { batches, frames, queue } = setUp();
    queue.push(1);
    queue.push(2);
    expect(frames).toHaveLength(1);
    frames[0]!();
    queue.push(3);
    frames[0]!();
    expect(batches).toEqual([[1, 2], [3]]);
  });

  it('never drops the tail on flush, and hands nothing over twice', () => {
    const { batches, frames, queue } = setUp();
    queue.push(1);
    queue.flush();
    queue.flush();
    expect(frames).toHaveLength(0);
    expect(batches).toEqual([[1]]);
  });

  it('forgets what waited when it is cleared', () => {
    const { batches, frames, queue } = setUp();
    queue.push(1);
    queue.clear();
    expect(frames).toHaveLength(0);
    queue.push(2);
    queue.flush();
    expect(batches).toEqual([[2]]);
  });
});
