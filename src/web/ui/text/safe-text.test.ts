import { describe, expect, it } from 'vitest';
import { decodeReferences, isPicture, safeLink, webLink } from './safe-text.ts';

describe('safeLink', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'javascript&colon;alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    '//example.com',
    '/api/topics',
    '',
  ])('is inert for %j', (href) => {
    expect(safeLink(href)).toBeNull();
  });

  it('lets web and mail addresses through', () => {
    expect(safeLink('https://example.com/a?b=1&amp;c=2')).toBe('https://example.com/a?b=1&c=2');
    expect(safeLink('mailto:a@example.com')).toBe('mailto:a@example.com');
  });
});

describe('webLink', () => {
  it('takes http and https only', () => {
    expect(webLink('mailto:a@example.com')).toBeNull();
    expect(webLink('http://example.com')).toBe('http://example.com/');
  });
});

describe('decodeReferences', () => {
  it('resolves common and numeric references and leaves the rest', () => {
    expect(decodeReferences('a &lt; b &amp;&amp; c &#20013;&#x6587; &nosuch; &')).toBe(
      'a < b && c 中文 &nosuch; &',
    );
  });

  it('never makes half a character', () => {
    expect(decodeReferences('&#xD800; &#0; &#9999999;')).toBe('\uFFFD \uFFFD \uFFFD');
  });

  it('is not fooled by names of object members', () => {
    expect(decodeReferences('&valueOf;')).toBe('&valueOf;');
  });
});

describe('isPicture', () => {
  it('leaves SVG out', () => {
    expect(isPicture('image/svg+xml')).toBe(false);
    expect(isPicture('image/PNG')).toBe(true);
  });
});
