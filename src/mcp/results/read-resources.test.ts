import { describe, expect, it } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { readContents, resourceList, resourceTemplateList } from './read-resources.ts';

const quiet = () => undefined;

describe('resourceList', () => {
  it('reads a resource', () => {
    const entry = {
      uri: 'file:///a',
      name: 'a',
      title: 'A',
      description: 'The a.',
      mimeType: 'text/plain',
      size: 3,
      annotations: { audience: ['user', 'other'], priority: 7, lastModified: '2026-01-01' },
      _meta: { a: 1 },
    };
    expect(resourceList.read(entry, quiet)).toEqual({
      uri: 'file:///a',
      name: 'a',
      title: 'A',
      description: 'The a.',
      mimeType: 'text/plain',
      size: 3,
      annotations: { audience: ['user'], priority: 1, lastModified: '2026-01-01' },
      meta: { a: 1 },
    });
  });

  it('names a resource without a name by its address, and drops one without an address', () => {
    expect(resourceList.read({ uri: 'x:a', size: -1 }, quiet)).toEqual({ uri: 'x:a', name: 'x:a' });
    const notes: string[] = [];
    for (const entry of [null, {}, { uri: 3 }, { uri: 'x'.repeat(9000) }]) {
      expect(resourceList.read(entry, (text) => notes.push(text))).toBeUndefined();
    }
    expect(notes).toHaveLength(4);
  });
});

describe('resourceTemplateList', () => {
  it('reads a template, and drops one without a pattern', () => {
    expect(resourceTemplateList.read({ uriTemplate: 'x:{a}', name: 'a' }, quiet)).toEqual({
      uriTemplate: 'x:{a}',
      name: 'a',
    });
    expect(resourceTemplateList.read({ uri: 'x:a' }, quiet)).toBeUndefined();
  });
});

describe('readContents', () => {
  it('reads texts and data, drops what has neither, and gives the hints', () => {
    const notes: string[] = [];
    const contents = [
      { uri: 'x:a', text: '', mimeType: 'text/plain', _meta: { a: 1 } },
      { uri: 'x:b', blob: 'AA==' },
      { uri: 'x:c' },
      { text: 'no address' },
      null,
    ];
    const answer = { contents, ttlMs: 10, cacheScope: 'public' };
    expect(readContents(answer, usualLimits.storedResult, (text) => notes.push(text))).toEqual({
      value: [
        { uri: 'x:a', text: '', mimeType: 'text/plain', meta: { a: 1 } },
        { uri: 'x:b', blob: 'AA==' },
      ],
      ttlMs: 10,
      cacheScope: 'public',
    });
    expect(notes).toHaveLength(3);
  });

  it.each([null, {}, { contents: 'x' }])('refuses %j', (answer) => {
    expect(() => readContents(answer, usualLimits.storedResult, quiet)).toThrow(
      expect.objectContaining({ code: 'unreadable_response' }),
    );
  });
});
