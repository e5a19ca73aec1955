import { describe, expect, it } from 'vitest';
import { isPreview, isTextRedundant, isStoredTwice, resultText } from './result-text.ts';

describe('isTextRedundant', () => {
  it('sees through order and spaces', () => {
    const content = [{ type: 'text' as const, text: '{ "b": [1], "a": {"y": 1, "x": 2} }' }];
    expect(isTextRedundant({ content, structuredContent: { a: { x: 2, y: 1 }, b: [1] } })).toBe(
      true,
    );
  });

  it('keeps a text that says something else', () => {
    const structuredContent = { a: 1 };
    expect(
      isTextRedundant({ content: [{ type: 'text', text: 'a is 1' }], structuredContent }),
    ).toBe(false);
    expect(
      isTextRedundant({ content: [{ type: 'text', text: '{"a":2}' }], structuredContent }),
    ).toBe(false);
    expect(isTextRedundant({ content: [{ type: 'text', text: '{"a":1}' }] })).toBe(false);
    expect(isTextRedundant({ content: [], structuredContent })).toBe(false);
  });
});

describe('isPreview', () => {
  const stored = { id: '1', size: 70_000 };

  it('is true where words are kept elsewhere', () => {
    expect(isPreview({ content: [], structuredStored: stored })).toBe(true);
    expect(isPreview({ content: [{ type: 'text', text: 'a', stored }] })).toBe(true);
    expect(isPreview({ content: [{ type: 'resource', resource: { uri: 'x:y' }, stored }] })).toBe(
      true,
    );
  });

  it('is false for what is all there, and for media, which nobody copies as text', () => {
    const picture = { type: 'image' as const, data: '', mimeType: 'image/png', stored };
    expect(isPreview({ content: [{ type: 'text', text: 'a' }, picture] })).toBe(false);
  });
});

describe('isStoredTwice', () => {
  it('sees that a text is the preview of the structured content', () => {
    const stored = { id: '1', size: 70_000 };
    const content = [{ type: 'text' as const, text: '{', stored }];
    expect(isStoredTwice({ content, structuredStored: { ...stored } })).toBe(true);
    expect(isStoredTwice({ content, structuredStored: { id: '2', size: 70_000 } })).toBe(false);
    expect(isStoredTwice({ content })).toBe(false);
  });
});

describe('resultText', () => {
  it('joins what is text and falls back to the structured content', () => {
    const picture = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    expect(
      resultText({
        content: [
          { type: 'text', text: 'a' },
          picture,
          { type: 'resource_link', uri: 'x:y', name: 'n' },
        ],
      }),
    ).toBe('a\nx:y');
    expect(resultText({ content: [picture], structuredContent: { a: 1 } })).toBe('{\n  "a": 1\n}');
    expect(resultText({ content: [], structuredContent: 0 })).toBe('0');
  });
});
