import { describe, expect, it } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { readToolResult } from './read-result.ts';

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('readToolResult', () => {
  it('reads every kind of part', () => {
    const content = [
      { type: 'text', text: 'hello', annotations: { priority: 1 } },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a', size: 3, mimeType: 'text/plain' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'b', mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'file:///c', blob: 'AA==' } },
    ];
    const { annotations: _, ...text } = content[0]!;
    expect(
      readToolResult({ content, resultType: 'complete', _meta: {} }, usualLimits.storedResult),
    ).toEqual({
      content: [text, ...content.slice(1)],
    });
  });

  it.each([
    { type: 'hologram', data: 1 },
    { type: 'text', text: 3 },
    { type: 'image', data: 'AA==' },
    { type: 'resource_link', name: 'a' },
    { type: 'resource', resource: {} },
    { type: 'resource' },
    { type: 'constructor' },
    'bare text',
    null,
    3,
  ])('keeps %j as its JSON', (part) => {
    expect(readToolResult({ content: [part] }, usualLimits.storedResult).content).toEqual([
      { type: 'text', text: JSON.stringify(part) },
    ]);
  });

  it.each([{ a: 1 }, [1, 2], 'text', 0, false, null])('keeps %j as structured content', (value) => {
    expect(readToolResult({ structuredContent: value }, usualLimits.storedResult)).toEqual({
      content: [],
      structuredContent: value,
    });
  });

  it('knows the failure of a tool, and results of the first revision', () => {
    expect(readToolResult({ content: [], isError: true }, usualLimits.storedResult)).toEqual({
      content: [],
      isError: true,
    });
    expect(readToolResult({ content: [], isError: 'no' }, usualLimits.storedResult)).toEqual({
      content: [],
    });
    expect(readToolResult({ toolResult: { a: 1 } }, usualLimits.storedResult).content).toEqual([
      { type: 'text', text: '{"a":1}' },
    ]);
  });

  it.each([null, 'x', [], { content: 'not a list' }, { content: {} }])('refuses %j', (value) => {
    expect(() => readToolResult(value, usualLimits.storedResult)).toThrow(
      expect.objectContaining({ code: 'unreadable_response' }),
    );
  });

  it('T45 refuses what is too deep or too large', () => {
    for (const value of [{ structuredContent: deep(1_000_000) }, { content: [deep(300)] }]) {
      expect(() => readToolResult(value, usualLimits.storedResult)).toThrow(
        expect.objectContaining({ code: 'unreadable_response' }),
      );
    }
    const text = 'x'.repeat(17 * 1024 * 1024);
    expect(() =>
      readToolResult({ content: [{ type: 'text', text }] }, usualLimits.storedResult),
    ).toThrow(expect.objectContaining({ code: 'result_too_large' }));
  });
});
