import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { flattenContent, limitForModel } from './results.ts';

const text = (value: string): ContentPart => ({ type: 'text', text: value });
const image: ContentPart = { type: 'image', data: 'x'.repeat(100_000), mimeType: 'image/png' };

function bytesOf(result: ToolResult): number {
  return result.content.reduce(
    (sum, part) => sum + (part.type === 'text' ? Buffer.byteLength(part.text) : 0),
    0,
  );
}

describe('limitForModel', () => {
  it('returns what fits as it is', () => {
    const result: ToolResult = { content: [text('short'), image] };
    expect(limitForModel(result, 64 * 1024)).toBe(result);
  });

  it('keeps head and tail and says how much is missing', () => {
    const long = `start${'x'.repeat(10_000)}end`;
    const [part] = limitForModel({ content: [text(long)] }, 300).content;
    expect(part).toEqual(
      text(`start${'x'.repeat(163)}\n[… 9756 characters left out …]\n${'x'.repeat(81)}end`),
    );
  });

  it('shortens long texts only and lets media pass', () => {
    const result = { content: [text('small'), image, text('y'.repeat(5000))], isError: true };
    const limited = limitForModel(result, 1000);
    expect(limited.content[0]).toEqual(text('small'));
    expect(limited.content[1]).toBe(image);
    expect(limited.isError).toBe(true);
    expect(bytesOf(limited)).toBeLessThan(1100);
  });

  it('keeps text whole in its characters and within its bytes', () => {
    // What stands for a broken character must come from the cut, not be given.
    const whole = fc
      .string({ unit: 'grapheme', maxLength: 400 })
      .filter((given) => !given.includes('\uFFFD'));
    fc.assert(
      fc.property(fc.array(whole, { maxLength: 5 }), (texts) => {
        const limited = limitForModel({ content: texts.map(text) }, 200);
        expect(JSON.stringify(limited)).not.toContain('\uFFFD');
        expect(bytesOf(limited)).toBeLessThanOrEqual(200 + texts.length * 60);
      }),
    );
  });

  it('keeps as many links as fit, and every part in its place', () => {
    const link = (n: number): ContentPart => ({
      type: 'resource_link',
      uri: `note://${n}`,
      name: 'x'.repeat(90),
    });
    const long: ContentPart = {
      type: 'resource',
      resource: { uri: `note://${'y'.repeat(900)}`, mimeType: 'a/b', blob: 'AAAA' },
    };
    const limited = limitForModel(
      { content: [link(1), long, link(2), link(3), text('last')] },
      310,
    );
    expect(limited.content).toEqual([
      link(1),
      text(''),
      text(''),
      text(''),
      text('last'),
      text('[… 3 links left out …]'),
    ]);
    const few = { content: [link(1), link(2), text('last')] };
    expect(limitForModel(few, 310)).toBe(few);
  });

  it('drops large structured content where the text says the same, else shows it as text', () => {
    const structuredContent = { rows: Array.from({ length: 1000 }, (_, index) => index) };
    const both = limitForModel({ content: [text('rows')], structuredContent }, 500);
    expect(both).toEqual({ content: [text('rows')] });
    const alone = limitForModel({ content: [], structuredContent }, 500);
    expect(flattenContent(alone)).toMatch(/^\{"rows":\[0,1,.*left out/s);
  });

  it('tells the model what is wrong with a result, without losing any of it', () => {
    const problem = 'The value is no number.';
    const warning = text(`Warning: ${problem}`);
    const said = limitForModel({ content: [text('three')], problem }, 64 * 1024);
    expect(said).toEqual({ content: [text('three'), warning] });
    const structured = limitForModel(
      { content: [], structuredContent: [1, 'x'], problem },
      64 * 1024,
    );
    expect(structured.content).toEqual([text('[1,"x"]'), warning]);
    const nothing = limitForModel({ content: [], problem }, 64 * 1024);
    expect(nothing.content).toEqual([warning]);
  });
});

describe('flattenContent', () => {
  it('joins text and names media', () => {
    const content: ContentPart[] = [
      text('one'),
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'audio', data: '', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'eA==', mimeType: 'x/y' } },
      { type: 'resource_link', uri: 'file:///c', name: 'c' },
    ];
    expect(flattenContent({ content })).toBe(
      'one\n[Image: image/png]\n[Audio: audio/wav]\ninside\n[Resource: x/y file:///b]\n[Link: c file:///c]',
    );
  });

  it('shows structured content where there is nothing else', () => {
    expect(flattenContent({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}');
    expect(flattenContent({ content: [], structuredContent: false })).toBe('false');
  });
});
