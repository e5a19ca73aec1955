import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import { groupBlocks, isGroup } from './group-blocks.ts';

/** `t` a text, `c` a citation, `1` a call of that round, `x` a translation that was cut, `z` a whole one. */
function blocks(kinds: string): Block[] {
  return kinds.split('').map((kind, ordinal) => {
    const type =
      { t: 'main_text', c: 'citation', x: 'translation', z: 'translation' }[kind] ?? 'tool';
    const status = kind === 'x' ? 'interrupted' : 'success';
    return { id: `${ordinal}`, ordinal, type, status, round: Number(kind) || 0 } as Block;
  });
}

function grouped(kinds: string): string {
  const names = kinds.split('');
  return groupBlocks(blocks(kinds))
    .map((entry) =>
      isGroup(entry)
        ? `(${entry.blocks.map(({ ordinal }) => names[ordinal]).join('')})`
        : names[entry.ordinal],
    )
    .join('');
}

describe('groupBlocks', () => {
  it('puts calls of one round together, with what they found', () => {
    expect(grouped('t11t')).toBe('t(11)t');
    expect(grouped('1c1ct')).toBe('(1c1c)t');
  });

  it('leaves single calls of several rounds alone, up to a long series', () => {
    expect(grouped('1t2t3')).toBe('1t2t3');
    expect(grouped('123')).toBe('123');
    expect(grouped('1234')).toBe('(1234)');
    expect(grouped('1c2c3c')).toBe('1c2c3c');
  });

  it('keeps the name of a group while it grows', () => {
    const all = blocks('t1123');
    const names = [3, 4, 5].map((count) => groupBlocks(all.slice(0, count))[1]?.id);
    expect(names).toEqual(['1', '1', '1']);
  });

  it('leaves out a translation that was cut and made again', () => {
    expect(grouped('txxz')).toBe('tz');
    expect(grouped('tx')).toBe('tx');
  });
});
