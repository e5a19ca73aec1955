import { describe, expect, it } from 'vitest';
import { convertHtml } from './html.ts';

const base = 'https://example.com/page';
const never = new AbortController().signal;

describe('convertHtml', () => {
  it.each([
    ['nested without end', '<div>'.repeat(100_000)],
    ['open formatting without end', '<b><i><p>'.repeat(30_000)],
    ['tables in tables', '<table><tr><td>'.repeat(30_000)],
  ])('ends within its time for a page %s', async (_what, html) => {
    const started = performance.now();
    const outcome = await convertHtml({ html, to: 'markdown', base }, never, 500).catch(
      (error: { code?: string }) => error.code,
    );
    expect(['', 'unreadable_response']).toContain(outcome);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('stops when it is cancelled', async () => {
    const stop = new AbortController();
    const job = { html: '<div>'.repeat(100_000), to: 'text', base } as const;
    const converting = convertHtml(job, stop.signal);
    stop.abort();
    await expect(converting).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('converts a large ordinary page', async () => {
    const html = '<p>Some <i>text</i> with a <a href="x">link</a>.</p>\n'.repeat(5000);
    const markdown = await convertHtml({ html, to: 'markdown', base }, never);
    expect(markdown.split('\n\n')).toHaveLength(5000);
    expect(markdown).toContain('Some _text_ with a [link](https://example.com/x).');
  });

  it('drops what is not for readers, and links that are not web addresses', async () => {
    const html =
      '<p>a</p><SCRIPT>b</SCRIPT><style>c</style><svg><title>d</title></svg><template>e</template>' +
      '<img src="data:image/png;base64,AAAA"><a href="data:text/html,x">f</a><img alt="g" src="/g.png">';
    const markdown = await convertHtml({ html, to: 'markdown', base }, never);
    expect(markdown).toBe('a\n\nf![g](https://example.com/g.png)');
    expect(await convertHtml({ html, to: 'text', base }, never)).toBe('a\n\nf');
  });
});
