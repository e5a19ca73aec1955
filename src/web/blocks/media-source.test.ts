import { describe, expect, it } from 'vitest';
import { dataUrl, mediaSource } from './media-source.ts';

describe('mediaSource', () => {
  it('reads from its own data or from this host', () => {
    expect(mediaSource({ data: 'AAAA', mimeType: 'image/png' })).toBe('data:image/png;base64,AAAA');
    expect(mediaSource({ url: '/api/blobs/1' })).toBe('/api/blobs/1');
  });

  it.each(['https://example.com/x.png', '//example.com', 'javascript:alert(1)', '/elsewhere'])(
    'never reads from %s',
    (url) => {
      expect(mediaSource({ url })).toBeNull();
    },
  );
});

describe('dataUrl', () => {
  it('gives an odd type no meaning', () => {
    expect(dataUrl('AAAA', 'text/html;x="')).toBe('data:application/octet-stream;base64,AAAA');
  });
});
