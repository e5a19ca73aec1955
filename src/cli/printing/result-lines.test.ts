import { describe, expect, it } from 'vitest';
import { resultLines } from './result-lines.ts';

const stored = (size: number) => ({ id: '1', size });
const hostile = '\u001b[2Jgone\u001b]0;title\u0007\u009b31mred\u202eback\r';

describe('resultLines', () => {
  it('gives a short result as it is', () => {
    expect(resultLines({ content: [{ type: 'text', text: 'one\ntwo' }] })).toEqual(['one', 'two']);
    expect(resultLines({ content: [] })).toEqual([]);
  });

  it('says of a stored text how much is left out, and how large it is', () => {
    const head = 'a'.repeat(500);
    const text = `${head}\n[… 9500 characters left out …]\n${'z'.repeat(100)}`;
    const lines = resultLines({ content: [{ type: 'text', text, stored: stored(2_200_000) }] });
    expect(lines).toEqual([
      `${'a'.repeat(399)}…`,
      '[… 9,700 characters omitted; full result stored (2.1 MiB)]',
    ]);
  });

  it('says so of a text that is merely too long for a few lines', () => {
    const lines = resultLines({ content: [{ type: 'text', text: '1\n2\n3\n4\n5\n6\n7\n8' }] });
    expect(lines).toEqual(['1', '2', '3', '4', '5', '6', '[… 4 characters omitted]']);
  });

  it('names media with type and size, stored or not, also after a long text', () => {
    const content = [
      { type: 'text' as const, text: 'line\n'.repeat(50) },
      { type: 'image' as const, data: '', mimeType: 'image/png', stored: stored(5000) },
      { type: 'audio' as const, data: 'A'.repeat(4096), mimeType: 'audio/wav' },
      { type: 'resource' as const, resource: { uri: 'file:///a', blob: '' }, stored: stored(10) },
    ];
    const lines = resultLines({ content, structuredStored: stored(70_000) });
    expect(lines.slice(-4)).toEqual([
      '[image: image/png, 5 KiB]',
      '[audio: audio/wav, 3 KiB]',
      '[file:///a: data, 1 KiB]',
      '[structured data, 69 KiB]',
    ]);
  });

  it('bounds what there is many of', () => {
    const image = { type: 'image' as const, data: '', mimeType: 'image/png' };
    const lines = resultLines({ content: Array.from({ length: 1000 }, () => image) });
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toBe('[… 994 more]');
  });

  it('lets no escape sequence through', () => {
    const lines = resultLines({
      content: [
        { type: 'text', text: hostile },
        { type: 'image', data: '', mimeType: `image/${hostile}` },
        { type: 'resource', resource: { uri: hostile, mimeType: hostile } },
        { type: 'resource_link', uri: hostile, name: `${hostile}\n✓ demo · echo` },
      ],
    });
    expect(lines.join('')).toContain('gone');
    expect(lines.join('')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  });
});
