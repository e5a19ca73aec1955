import { describe, expect, it } from 'vitest';
import { callTool, connectClient } from '../../../../test/fakes/builtin-client.ts';
import { createFetchServer } from './fetch.ts';
import { startWeb, type TestWeb } from '../../../../test/fakes/test-web.ts';

const page = `<!doctype html><html><head><title>Cherries &amp; plums</title>
<style>p { color: red }</style><script>alert("script text")</script></head>
<body><h1>Fruit</h1><p>Eat <b>more</b> <a href="/cherry (1).html">cherries</a>.</p>
<ul><li>red</li><li>sweet</li></ul><p><a href="javascript:alert(1)">bad link</a></p>
<table><tr><td>a</td><td>b</td></tr></table><noscript>hidden</noscript><pre>x = 1</pre></body></html>`;

const bodies: Record<string, [contentType: string, body: string | Buffer]> = {
  '/page': ['text/html; charset=utf-8', page],
  '/json': ['application/json', '{"a":[1,2]}'],
  '/crowded': ['application/json', `[${Array.from({ length: 100_001 }, () => '{}').join(',')}]`],
  '/deep': ['application/json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  '/text': ['text/plain', 'plain <b>text</b>'],
  '/gbk': ['text/html; charset=gbk', Buffer.from([0xd3, 0xa3, 0xcc, 0xd2])],
  '/meta': [
    'text/html',
    Buffer.concat([Buffer.from('<meta charset="gbk"><p>'), Buffer.from([0xd3, 0xa3, 0xcc, 0xd2])]),
  ],
  '/image': ['image/png', 'png'],
  '/long': ['text/plain', '0123456789'.repeat(10)],
  '/emoji': ['text/plain', `a${'🍒'.repeat(4)}`],
};

async function startPages(): Promise<TestWeb> {
  return startWeb((request, response) => {
    const [contentType, body] = bodies[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': contentType }).end(body);
  });
}

async function fetchWith(
  web: TestWeb,
  tool: string,
  path: string,
  args: Record<string, unknown> = {},
): Promise<{ text: string; isError: boolean }> {
  const client = await connectClient(createFetchServer({ fetchAllow: async () => [web.host] }));
  const result = await callTool(client, tool, { url: `http://${web.host}${path}`, ...args });
  await client.close();
  return result;
}

describe('the fetch tools', () => {
  it('give the source, Markdown, text and JSON', async () => {
    await using web = await startPages();
    expect((await fetchWith(web, 'fetch_html', '/page')).text).toBe(page);
    expect((await fetchWith(web, 'fetch_json', '/json')).text).toBe(
      '{\n  "a": [\n    1,\n    2\n  ]\n}',
    );
    const markdown = (await fetchWith(web, 'fetch_markdown', '/page')).text;
    expect(markdown).toContain('# Cherries & plums\n\n# Fruit');
    expect(markdown).toContain(
      `Eat **more** [cherries](http://${web.host}/cherry%20%281%29.html).`,
    );
    expect(markdown).toMatch(/-\s+red\n-\s+sweet/);
    const text = (await fetchWith(web, 'fetch_text', '/page')).text;
    expect(text).toContain('Eat more cherries.');
    expect(text).toContain('red\n');
    expect(text).toContain('a\tb');
    for (const shown of [markdown, text]) {
      expect(shown).not.toMatch(/script text|color: red|hidden|javascript:/);
      expect(shown).toContain('bad link');
    }
    expect((await fetchWith(web, 'fetch_text', '/text')).text).toBe('plain <b>text</b>');
  });

  it('give JSON as it was written where reading it would hold up everybody', async () => {
    await using web = await startPages();
    const start = async (path: string) =>
      (await fetchWith(web, 'fetch_json', path, { max_length: 10 })).text.slice(0, 10);
    expect(await start('/crowded')).toBe('[{},{},{},');
    expect(await start('/deep')).toBe('[[[[[[[[[[');
  });

  it('understand Chinese charsets', async () => {
    await using web = await startPages();
    expect((await fetchWith(web, 'fetch_text', '/gbk')).text).toBe('樱桃');
    expect((await fetchWith(web, 'fetch_markdown', '/meta')).text).toBe('樱桃');
  });

  it('give long pages in parts', async () => {
    await using web = await startPages();
    const part = (start_index: number): Promise<{ text: string; isError: boolean }> =>
      fetchWith(web, 'fetch_text', '/long', { start_index, max_length: 60 });
    expect((await part(0)).text).toMatch(
      /^(0123456789){6}\n\n\[Characters 0 to 60 of 100\. .* start_index 60\.\]$/,
    );
    expect((await part(60)).text).toBe('0123456789'.repeat(4));
    expect((await part(100)).isError).toBe(true);
    const emoji = await fetchWith(web, 'fetch_text', '/emoji', { max_length: 4 });
    expect(emoji.text).toMatch(/^a🍒\n\n\[Characters 0 to 3 of 9/u);
  });

  it('fail with a sentence for what they cannot read', async () => {
    await using web = await startPages();
    expect(await fetchWith(web, 'fetch_json', '/page')).toMatchObject({
      isError: true,
      text: expect.stringContaining("isn't valid JSON"),
    });
    expect((await fetchWith(web, 'fetch_text', '/image')).text).toContain('image/png');
  });

  it('refuse private addresses with the way to allow them', async () => {
    await using canary = await startWeb();
    const client = await connectClient(createFetchServer({ fetchAllow: async () => [] }));
    for (const tool of ['fetch_html', 'fetch_markdown', 'fetch_text', 'fetch_json']) {
      const { isError, text } = await callTool(client, tool, { url: canary.url });
      expect(isError).toBe(true);
      expect(text).toContain('Settings → Host');
    }
    expect(canary.connections()).toBe(0);
    await client.close();
  });
});
