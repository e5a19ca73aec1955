import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { citationsOf } from './citations.ts';

const text = (said: unknown): ContentPart => ({
  type: 'text',
  text: typeof said === 'string' ? said : JSON.stringify(said),
});
const ofStructure = (structuredContent: unknown) => citationsOf({ content: [], structuredContent });
const ofText = (...said: unknown[]) => citationsOf({ content: said.map(text) });
const record = (n: number | string) => ({ url: `https://example.com/${n}`, title: `Page ${n}` });

describe('citationsOf', () => {
  it('reads links and lists of any tool, each address once', () => {
    const result: ToolResult = {
      content: [
        { type: 'resource_link', uri: 'https://a.test/', name: 'a', description: 'about a' },
        { type: 'resource_link', uri: 'demo://x', name: 'x', title: ' The\nX ' },
      ],
      structuredContent: {
        results: [
          { url: 'https://b.test', title: 'B', snippet: 's\n  t' },
          { url: 'https://a.test', title: 'A again' },
        ],
        sources: [{ url: 'https://c.test/', name: 'C' }],
      },
    };
    expect(citationsOf(result)).toEqual([
      { url: 'https://a.test/', title: 'a', snippet: 'about a' },
      { title: 'The X' },
      { url: 'https://b.test/', title: 'B', snippet: 's t' },
      { url: 'https://c.test/', title: 'C' },
    ]);
  });

  it('takes embedded pages of the web, and no other embedded thing', () => {
    const resource = (uri: string): ContentPart => ({
      type: 'resource',
      resource: { uri, text: 'What it says.' },
    });
    expect(citationsOf({ content: [resource('https://a.test/'), resource('file:///a')] })).toEqual([
      { url: 'https://a.test/', snippet: 'What it says.' },
    ]);
  });

  it.each<[string, unknown]>([
    ['the list itself', [record(1)]],
    ['a list', { organic: [record(1)] }],
    ['Brave’s nested list', { type: 'search', web: { results: [record(1)] } }],
    ['three levels down', { a: { b: { c: [record(1)] } } }],
    ['lists in the items of a list', { searches: [{ query: 'q', hits: [record(1)] }] }],
    ['beside other things', { found: 1, results: ['x', null, record(1), { url: 'no' }, []] }],
  ])('finds records in %s, in structure and in text', (_name, value) => {
    const source = { url: 'https://example.com/1', title: 'Page 1' };
    expect(ofStructure(value)).toEqual([source]);
    expect(ofText(value)).toEqual([source]);
    expect(ofText('Found this:', JSON.stringify(value, null, 2))).toEqual([source]);
  });

  it.each<[string, object]>([
    [
      'GitHub',
      { html_url: 'https://a.test/', url: 'https://api.test/1', title: 'T', body: 'B', id: 1 },
    ],
    ['Google', { link: 'https://a.test/', title: 'T', snippet: 'B', displayLink: 'a.test' }],
    ['a news feed', { permalink: '/r/x', url: 'https://a.test/', headline: 'T', summary: 'B' }],
    ['a drive', { webUrl: 'https://a.test/', name: 'T', description: 'B' }],
    ['another way of writing', { sourceUrl: 'https://a.test/', pageTitle: 'T', excerpt: 'B' }],
  ])('knows the fields of %s', (_name, item) => {
    expect(ofStructure([item])).toEqual([{ url: 'https://a.test/', title: 'T', snippet: 'B' }]);
  });

  it('does not look inside a source for more', () => {
    const item = { ...record(1), author: { ...record(2) }, labels: [record(3)] };
    expect(ofStructure({ items: [item] })).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['prose', 'See https://example.com/ for more.'],
    ['prose in brackets', '[1] https://example.com/ Page'],
    ['a list of addresses', ['https://example.com/1', 'https://example.com/2']],
    ['records without a title', [{ url: 'https://example.com/' }]],
    ['an empty title', [{ url: 'https://example.com/', title: ' \n' }]],
    ['records without an address', [{ title: 'A' }, { title: 'B', url: null }]],
    ['one record that is no list', record(1)],
    ['a list too far down', { a: { b: { c: { d: [record(1)] } } } }],
    ['a list that is text', { results: 'no list' }],
    ['nothing', null],
    ['JSON that breaks off', '[{"url": "https://example.com/", "title": "A"'],
  ])('gives nothing for %s', (_name, value) => {
    expect(ofStructure(value)).toEqual([]);
    expect(ofText(value)).toEqual([]);
  });

  it('never gives an address a browser should not open', () => {
    const urls = [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      '//x',
      'https://',
      'https://[',
      `https://a.test/${'x'.repeat(5000)}`,
      5,
      null,
    ];
    expect(ofStructure(urls.map((url) => ({ url, title: 'T' })))).toEqual([]);
    const links = urls.filter((url) => typeof url === 'string');
    const content = links.map((uri): ContentPart => ({ type: 'resource_link', uri, name: 'N' }));
    expect(citationsOf({ content })).toEqual([{ title: 'N' }]);
  });

  it('keeps an address and a title on one line', () => {
    const item = { url: 'https://a.test/\n[9] x', title: 'A\r\n\u2028[9] fake', snippet: '\n' };
    expect(ofStructure([item])).toEqual([{ url: 'https://a.test/[9]%20x', title: 'A [9] fake' }]);
  });

  it('gives nothing for a failure, and does bounded work for a large result', () => {
    const many = Array.from({ length: 50_000 }, (_, n) => record(n));
    expect(citationsOf({ content: [], structuredContent: many, isError: true })).toEqual([]);
    expect(ofStructure(many)).toHaveLength(100);
    expect(ofText(many)).toEqual([]);
    expect(ofText(many.slice(0, 200))).toHaveLength(100);
    const noise = Array.from({ length: 50_000 }, () => ({ a: 1 }));
    expect(ofStructure([...noise, record(1)])).toEqual([]);
    const half = JSON.stringify([...noise.slice(0, 50), record(1)]).padEnd(400 * 1024);
    expect(ofText(half, half.replaceAll('Page', 'Other').replaceAll('/1', '/2'))).toHaveLength(1);
    const [long] = ofStructure([
      { url: 'https://a.test', title: 'x'.repeat(9e5), text: 'y '.repeat(9e5) },
    ]);
    expect([long?.title?.length, long?.snippet?.length]).toEqual([300, 500]);
  });

  it('never throws, whatever the result', () => {
    const key = fc.constantFrom('results', 'url', 'link', 'title', 'name', 'text', '__proto__');
    const leaf = fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' }), fc.jsonValue());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        leaf,
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.string(), (json, prose) => {
        const uri = typeof json === 'string' ? json : prose;
        const content: ContentPart[] = [
          { type: 'resource_link', uri, name: prose },
          { type: 'resource', resource: { uri } },
          text(json),
          text(prose),
        ];
        for (const source of citationsOf({ content, structuredContent: json })) {
          expect(source.url ?? source.title).toBeTruthy();
          if (source.url !== undefined) expect(source.url).toMatch(/^https?:\/\/[^\s]+$/);
          expect(source.title ?? '').not.toMatch(/[\n\r]/);
        }
      }),
    );
  });
});
