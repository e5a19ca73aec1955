import { describe, expect, it } from 'vitest';
import { isTextType } from '#shared/vocabulary/media-input.ts';
import { fileType } from './file-type.ts';

describe('fileType', () => {
  it.for([
    ['main.ts', 'video/mp2t'],
    ['README.md', ''],
    ['data.json', ''],
    ['Dockerfile', ''],
    ['run.SH', 'application/x-shellscript'],
  ])('gives %s to models as text', ([name = '', type = '']) => {
    expect(isTextType(fileType({ name, type }))).toBe(true);
  });

  it('leaves what the browser knows, and calls the rest bytes', () => {
    expect(fileType({ name: 'a.png', type: 'image/png' })).toBe('image/png');
    expect(fileType({ name: 'a.weird', type: '' })).toBe('application/octet-stream');
    expect(fileType({ name: 'a', type: 'text/html; charset=utf-8' })).toBe('text/html');
  });
});
