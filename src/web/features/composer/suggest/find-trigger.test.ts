import { describe, expect, it } from 'vitest';
import { findTrigger } from './find-trigger.ts';

describe('findTrigger', () => {
  it('finds a command only as the first word, while the caret is in it', () => {
    expect(findTrigger('/comp', 5)).toEqual({ kind: 'command', query: 'comp', start: 0, end: 5 });
    expect(findTrigger('/', 1)?.query).toBe('');
    expect(findTrigger('/call now', 9)).toBeUndefined();
    expect(findTrigger('see /etc', 8)).toBeUndefined();
    expect(findTrigger('/comp', 0)).toBeUndefined();
  });

  it('finds a resource after a space, at the start and after Chinese characters', () => {
    expect(findTrigger('read @arch', 10)).toEqual({
      kind: 'resource',
      query: 'arch',
      start: 5,
      end: 10,
    });
    expect(findTrigger('请看@文档', 5)).toMatchObject({
      kind: 'resource',
      query: '文档',
      start: 2,
    });
    expect(findTrigger('@', 1)?.kind).toBe('resource');
  });

  it('takes no address of mail for one', () => {
    expect(findTrigger('write to me@example', 19)).toBeUndefined();
    expect(findTrigger('@done ', 6)).toBeUndefined();
  });
});
