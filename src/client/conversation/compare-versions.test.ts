import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import { comparedText, compareVersions, isSameThroughout } from './compare-versions.ts';

const text = (content: string, round = 0) => ({ type: 'main_text', content, round }) as Block;
const call = (state: string, round = 0) =>
  ({
    type: 'tool',
    round,
    toolName: 'look',
    modelToolName: 'mcp__shop__look',
    arguments: { at: 'home' },
    state,
  }) as unknown as Block;
const versions = (left: Block[], right: Block[]) =>
  compareVersions({ blocks: left }, { blocks: right });

describe('two versions of an answer', () => {
  it('stand step by step, a call by its own name, with its state where it did not succeed', () => {
    const steps = versions([call('succeeded'), text('So.', 1)], [call('failed')]);
    const texts = steps.map(({ left, right }) => [left.map(comparedText), right.map(comparedText)]);
    expect(texts).toEqual([
      [['▸ look {"at":"home"}'], ['▸ look {"at":"home"}: failed']],
      [['So.'], []],
    ]);
    expect(isSameThroughout(steps)).toBe(false);
  });

  it('are the same where nothing differs, in number neither', () => {
    expect(isSameThroughout(versions([text('a')], [text('a')]))).toBe(true);
    expect(isSameThroughout(versions([text('a')], [text('a'), text('b')]))).toBe(false);
    expect(isSameThroughout(versions([text('a')], [text('b')]))).toBe(false);
  });
});
