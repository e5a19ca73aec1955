import { describe, expect, it } from 'vitest';
import { dataUrl, mediaKind, mediaSize, mediaSource } from './media-source.ts';

describe('mediaSource', () => {
  it('reads from its own data or from this host', () => {
    expect(mediaSource({ data: 'AAAA', mimeType: 'image/png' })).toBe('data:image/png;base64,AAAA');
    expect(mediaSource({ stored: { id: '1', size: 3 } })).toBe('/api/blobs/1');
    expect(mediaSource({ name: 'x' })).toBeNull();
  });

  it('prefers what is stored, whose preview has no data', () => {
    expect(mediaSource({ data: '', stored: { id: '1', size: 3 } })).toBe('/api/blobs/1');
    expect(mediaSize({ data: '', stored: { id: '1', size: 3 } })).toBe(3);
    expect(mediaSize({ data: 'AAAA' })).toBe(3);
  });

  it.each(['https://example.com/x.png', '//example.com', '../settings', 'a?b#c'])(
    'never leaves the blobs of this host for an id such as %s',
    (id) => {
      const source = mediaSource({ stored: { id, size: 1 } }) ?? '';
      expect(source).toMatch(/^\/api\/blobs\/[^/?#]+$/);
    },
  );
});

describe('mediaKind', () => {
  it('knows what a browser may show', () => {
    const types = ['image/png', 'IMAGE/JPEG', 'audio/wav', 'video/mp4', 'application/pdf'];
    expect(types.map(mediaKind)).toEqual(['image', 'image', 'audio', 'video', 'pdf']);
  });

  it.each(['image/svg+xml', 'text/html', 'application/zip', 'audio/x;y="', 'audio/', undefined])(
    'shows nothing of %s',
    (type) => {
      expect(mediaKind(type)).toBeUndefined();
    },
  );
});

describe('dataUrl', () => {
  it('gives an odd type no meaning', () => {
    expect(dataUrl('AAAA', 'text/html;x="')).toBe('data:application/octet-stream;base64,AAAA');
  });
});
