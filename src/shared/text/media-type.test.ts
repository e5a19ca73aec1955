import { describe, expect, it } from 'vitest';
import { sniffMediaType } from './media-type.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

const files: [type: string, head: string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a\x01\0'],
  ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
  ['image/avif', '\0\0\0\x1cftypavif\0\0\0\0avifmif1'],
  ['image/avif', '\0\0\0\x1cftypmif1\0\0\0\0mif1avif'],
  ['image/bmp', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0'],
  ['application/pdf', '%PDF-1.7\n'],
  ['audio/mpeg', 'ID3\x04\0\0'],
  ['audio/mpeg', '\xff\xfb\x90\x64'],
  ['audio/mpeg', '\xff\xf3\x40\xc0'],
  ['audio/wav', 'RIFF\x10\0\0\0WAVEfmt '],
  ['audio/ogg', 'OggS\0\x02'],
  ['audio/flac', 'fLaC\0\0\0\x22'],
  ['audio/mp4', '\0\0\0\x18ftypM4A \0\0\0\0'],
  ['video/mp4', '\0\0\0\x18ftypmp42\0\0\0\0isommp42'],
  ['video/mp4', '\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41'],
  [
    'video/webm',
    '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm',
  ],
];

describe('the media type of a file', () => {
  it.each(files)('is %s where the bytes say so, whatever was declared', (type, head) => {
    const long = bytes(head + '\0'.repeat(200));
    for (const declared of ['', 'text/html', 'image/svg+xml', 'image/x-wrong', type])
      expect(sniffMediaType(long, declared)).toBe(type);
    expect(sniffMediaType(bytes(head), 'text/html')).toBe(type);
  });

  it.each([
    'plain text',
    'ID3 is a kind of tag',
    'BMW and other makers',
    'GIF is a format',
    'OggSomething',
    'RIFF\x10\0\0\0WEB',
    '%PDF',
    '\xff\xfe\x41\0',
    '\0\0\0\x1cftypqt  ',
    '\x1aE\xdf\xa3 matroska',
    '',
  ])('stays as declared where the bytes say nothing: %j', (head) => {
    expect(sniffMediaType(bytes(head), 'text/x-own')).toBe('text/x-own');
  });

  it('keeps a declared type in lower case and without parameters', () => {
    const text = bytes('hello');
    expect(sniffMediaType(text, ' Text/HTML; charset="utf-8"; x=y')).toBe('text/html');
    expect(sniffMediaType(text, 'application/vnd.a.b+json')).toBe('application/vnd.a.b+json');
  });

  it('is text or unknown where the declaration is no type', () => {
    const odd = [
      '',
      'text',
      '/',
      'a/',
      '/b',
      'a/b/c',
      'a b/c',
      'text/pl\r\nain',
      'tëxt/plain',
      '*/*',
    ];
    for (const declared of [...odd, `a/${'b'.repeat(200)}`, '; charset=utf-8']) {
      expect(sniffMediaType(bytes('\x00\x01hello'), declared)).toBe('application/octet-stream');
      expect(sniffMediaType(bytes('hello'), declared), declared).toBe('text/plain');
    }
  });

  it('takes text for text where the declaration says nothing of it', () => {
    const cut = new TextEncoder().encode('日本語'.repeat(30)).subarray(0, 64);
    for (const declared of ['application/octet-stream', 'application/x-www-form-urlencoded'])
      expect(sniffMediaType(cut, declared)).toBe('text/plain');
    expect(sniffMediaType(bytes('export const a = 1;'), 'video/mp2t')).toBe('text/plain');
    expect(sniffMediaType(bytes('G@\x00\x10\x00'), 'video/mp2t')).toBe('video/mp2t');
    expect(sniffMediaType(bytes('\xff\xfeabc'), '')).toBe('application/octet-stream');
    expect(sniffMediaType(bytes(''), '')).toBe('application/octet-stream');
  });

  it('lets the declaration decide what a container of sound or pictures holds', () => {
    const ogg = bytes('OggS\0\x02');
    expect(sniffMediaType(ogg, 'video/ogg')).toBe('video/ogg');
    expect(sniffMediaType(ogg, 'video/mp4')).toBe('audio/ogg');
    const webm = bytes('\x1aE\xdf\xa3\x9fB\x82\x84webm');
    expect(sniffMediaType(webm, 'audio/webm;codecs=opus')).toBe('audio/webm');
  });
});
