import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { main } from '../main.ts';
import { listen } from '../../../test/fakes/loopback.ts';
import { run } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

/** `cerise` at a terminal of 80 × 24, in the process of the test. */
async function open(
  env: Record<string, string> = {},
  suspend?: () => Promise<void>,
  size = { columns: 80, rows: 24 },
) {
  const { home } = await freshPlace();
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const output = () =>
    Object.assign(new PassThrough(), {
      isTTY: true,
      ...size,
      hasColors: () => false,
    });
  const [stdout, stderr] = [output(), output()];
  let screen = '';
  for (const stream of [stdout, stderr]) stream.on('data', (bytes) => (screen += String(bytes)));
  const ended = main([], {
    env: {
      HOME: '/nonexistent',
      CERISE_HOME: home,
      CERISE_PORT: '0',
      CERISE_DISCOVER: '0',
      CERISE_DEMO_PACE: '0',
      ...env,
    },
    stdin,
    stdout,
    stderr,
    onSignal: () => () => undefined,
    exit: () => undefined,
    ...(suspend && { suspend }),
  });
  const text = () => stripVTControlCharacters(screen);
  /** Types keys, and waits until the screen shows something after them. */
  const type = async (keys: string, shows: RegExp) => {
    const from = text().length;
    stdin.write(keys);
    await vi.waitFor(() => expect(text().slice(from)).toMatch(shows), { timeout: 20_000 });
    return text().slice(from);
  };
  onTestFinished(async () => {
    stdin.end();
    await ended;
  });
  return { home, type, ended, screen: () => screen, stdin };
}

describe('cerise in a terminal', () => {
  it('answers, with its tools, and goes on in the same chat', async () => {
    const { type, ended } = await open();
    expect(await type('What is 6*7?\r', /demo\/scripted\n/)).toMatch(/✓ calculator · calculate/);
    expect(await type('what did I ask?\r', /demo\/scripted\n/)).toContain('What is 6*7?');
    expect(await type('/chats\r', /\/resume/)).toMatch(/ 1 {2}What is 6\*7/);
    await type('/new\r', /New chat/);
    expect(await type('/resume 1\r', /What is 6\*7\?.*> \s*$/s)).toContain('What is 6*7?');
    await type('\u0004', /\n$/);
    expect(await ended).toBe(0);
  });

  it('asks before a call that changes something, and reads keys again afterwards', async () => {
    const { type, home } = await open();
    const call = '/call mcp__filesystem__write_file {"path": "x.txt", "content": "here"}';
    await type(`${call}\r`, /\[N\]o: $/);
    await type('y\r', /✓ filesystem · write_file.*demo\/scripted\n/s);
    expect(await readFile(join(home, 'workspace/x.txt'), 'utf8')).toBe('here');
    await type('/help\r', /Attach a file/);
  });

  it('lets arguments be edited before a call runs, and asks again where they do not fit', async () => {
    const { type, home } = await open();
    const call = '/call mcp__filesystem__write_file {"path": "x.txt", "content": "a\\u009bb"}';
    await type(`${call}\r`, /\[N\]o: $/);
    await type('e\r', /Arguments: \{"path":"x\.txt","content":"a\\u009bb"\}/);
    await type('\u0015{"path": 5}\r', /\+ {3}"path": 5\n.*\[N\]o: $/s);
    expect(await type('y\r', /\[N\]o: $/)).toMatch(/path/);
    await type('e\r', /Arguments: /);
    await type('\u007f\u007fc"}\r', /\[N\]o: $/);
    await type('y\r', /demo\/scripted\n/);
    expect(await readFile(join(home, 'workspace/x.txt'), 'utf8')).toBe('a\u009bbc');
  });

  it('leaves nothing else on the screen while a server asks, and goes on after the form', async () => {
    const { type, screen } = await open({ CERISE_DEMO_PACE: '5' });
    await type('Ask me with a form\r', /text: $/);
    const before = screen().slice(0, screen().indexOf('needs your input'));
    expect(before.slice(before.lastIndexOf('…'))).toContain('\u001b[K');
    await type('Ann\r', /: $/);
    await type('/c\r', /demo\/scripted\n/);
  });

  it('asks what a server had asked before the chat was resumed here', async () => {
    const first = await open();
    await first.type('Ask me with a form\r', /text: $/);
    const second = await open({ CERISE_HOME: first.home });
    await second.type('/chats\r', /running/);
    await second.type('/resume 1\r', /demo needs your input.*text: $/s);
    await second.type('Ann\r', /: $/);
    await second.type('/c\r', /demo\/scripted\n/);
    await expect.poll(first.screen).toMatch(/request is closed[^]*demo\/scripted/);
  });

  it('ends its question about a call that was decided elsewhere, and shows what became of it', async () => {
    const first = await open();
    const call = '/call mcp__filesystem__write_file {"path": "x.txt", "content": "here"}';
    await first.type(`${call}\r`, /\[N\]o: $/);
    const second = await open({ CERISE_HOME: first.home });
    await second.type('/chats\r', /running/);
    await second.type('/resume 1\r', /\[N\]o: $/);
    await second.type('y\r', /✓ filesystem · write_file.*demo\/scripted\n/s);
    const closed = /request is closed.*✓ filesystem · write_file.*demo\/scripted\n/s;
    const shown = () => stripVTControlCharacters(first.screen());
    await vi.waitFor(() => expect(shown()).toMatch(closed), { timeout: 20_000 });
    await first.type('/help\r', /Attach a file/);
  });

  it('goes on when the terminal that had the host is left', async () => {
    const first = await open();
    await first.type('/help\r', /Attach a file/);
    const second = await open({ CERISE_HOME: first.home });
    await second.type('What is 6*7?\r', /demo\/scripted\n/);
    await first.type('\u0004', /\n$/);
    expect(await first.ended).toBe(0);
    const answered = await second.type('what did I ask?\r', /demo\/scripted\n|Can't/);
    expect(answered).toContain('What is 6*7?');
  });

  it('stops a running answer at Ctrl-C, and keeps what was typed meanwhile', async () => {
    const { type } = await open({ CERISE_DEMO_PACE: '20' });
    await type('/write 5000\r', /Part 1/);
    await type('next\u0003', /Stopped\..*> next/s);
  });

  it('is left by a second Ctrl-C on an empty line, and by nothing less', async () => {
    const { type, ended, stdin } = await open();
    await type('typed\u0003', /> \s*$/);
    await type('\u0003', /Press Ctrl-C again to quit/);
    await type('hi\r', /demo\/scripted\n/);
    await type('\u0003', /Press Ctrl-C again to quit/);
    stdin.write('\u0003');
    expect(await ended).toBe(0);
  });

  it.each([{}, { TERM: 'dumb' }])(
    'stops the answer at Ctrl-C while it asks, and goes on: %o',
    async (env) => {
      const { type, home } = await open(env);
      const call = '/call mcp__filesystem__write_file {"path": "x.txt", "content": "here"}';
      await type(`${call}\r`, /\[N\]o: $/);
      await type('\u0003', /Stopped\..*> \s*$/s);
      await expect(readFile(join(home, 'workspace/x.txt'))).rejects.toThrow('ENOENT');
      await type('hi\r', /demo\/scripted\n/);
    },
  );

  it('is suspended by Ctrl-Z wherever it is, and goes on where it was', async () => {
    const suspend = vi.fn<() => Promise<void>>(async () => undefined);
    const { type } = await open({ CERISE_DEMO_PACE: '20' }, suspend);
    await type('typed\u001a', /> typed[^]*> typed\s*$/);
    await type('\u0015/write 5000\r', /Part 1/);
    await type('\u001a', /Part 3/);
    await type('\u0003', /Stopped\..*> \s*$/s);
    const call = '/call mcp__filesystem__write_file {"path": "x.txt", "content": "here"}';
    await type(`${call}\r`, /\[N\]o: $/);
    await type('\u001a', /\[N\]o: $/);
    expect(suspend).toHaveBeenCalledTimes(3);
    await type('n\r', /demo\/scripted\n/);
  });

  it('stops an answer that has not begun', async () => {
    const { type } = await open({ CERISE_DEMO_PACE: '20' });
    await type('/write 5000\r\u0003', /Stopped\..*> /s);
  });

  it('takes a terminal that does not know its size as one of 80 × 24', async () => {
    const { type } = await open({}, undefined, { columns: 0, rows: 0 });
    await type('What is 6*7?', /> What is 6\*7\?/);
    const answered = await type('\r', /demo\/scripted\n/);
    expect(answered).toContain('I need a tool to answer this: calculate. I’ll call it and answer');
  });

  it('draws a long pasted text once, not letter by letter', async () => {
    const { type, screen } = await open();
    await type('x', /x/);
    const before = screen().length;
    const lines = Array.from({ length: 200 }, (_, at) => `${at} ${'words '.repeat(12)}`);
    await type(`\u001b[200~${lines.join('\r')}\u001b[201~`, /199 words/);
    expect(screen().length - before).toBeLessThan(4000);
  });

  it('takes several lines, pasted or typed, and names of files as attachments', async () => {
    const { type, home } = await open();
    const file = join(home, 'note.txt');
    await writeFile(file, 'words of a file');
    const sent = await type(`\u001b[200~one\rtwo\u001b[201~\\\r@${file}\r`, /demo\/scripted\n/);
    expect(sent).toMatch(/> one\n {2}two\n {2}@/);
    expect(await type('/export\r', /note\.txt/)).toContain('one\ntwo');
  });

  it('attaches what is named at the end of a sentence, and leaves a bare server as text', async () => {
    const { type, home } = await open();
    const file = join(home, 'note.txt');
    await writeFile(file, 'words of a file');
    await type(`What is in @${file}?\r`, /demo\/scripted\n/);
    await type('/export\r', /\[file: note\.txt\][^]*uit -- $/);
    await type('q\r', /> \s*$/);
    expect(await type('Ask @time: now\r', /demo\/scripted\n/)).not.toContain('Invalid');
  });

  it('stops waiting for a host that has gone at Ctrl-C', async () => {
    const { home } = await freshPlace();
    const encoder = new TextEncoder();
    const message = { topicId: 't', status: 'processing', createdAt: 0 };
    const text = { id: 'b', messageId: 'a', type: 'main_text', status: 'streaming', ordinal: 0 };
    const conversation = {
      topic: { id: 't', title: '' },
      messages: [
        { ...message, id: 'q', role: 'user', parentId: null, status: 'success', blocks: [] },
        {
          ...message,
          id: 'a',
          role: 'assistant',
          parentId: 'q',
          blocks: [{ ...text, content: 'Begun ' }],
        },
      ],
    };
    const snapshot = `data: ${JSON.stringify({ type: 'snapshot', conversation })}\n\n`;
    const host = await listen(({ url }) => {
      const { pathname } = new URL(url);
      if (pathname.endsWith('/events'))
        return new Response(
          new ReadableStream({
            start: (stream) => {
              if (pathname.includes('/t/')) stream.enqueue(encoder.encode(snapshot));
            },
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        );
      return Response.json({ id: 't', answerId: 'a' });
    });
    const server = { url: host.url, token: 'x' };
    await writeFile(join(home, 'server.json'), JSON.stringify(server));
    const { type } = await open({ CERISE_HOME: home });
    await type('hi\r', /Begun/);
    await host.close();
    await type('\u0003', /closed before the answer was complete.*> \s*$/s);
    await type('/new\r', /New chat\.\s*> \s*$/);
    await type('What is 6*7?\r', /✓ calculator/);
  });

  it('completes commands, models and files', async () => {
    const { type } = await open();
    await type('hi\r', /demo\/scripted\n/);
    await type('/mo\t', /\/model /);
    await type('demo/s\t\r', /Using demo\/scripted/);
  });

  it('completes no name that would act on the terminal', async () => {
    const { type, screen, home } = await open();
    const hostile = ['plain-\u001b]0;owned\u0007', 'plain-\u202e'];
    for (const name of ['plain-text', ...hostile]) await writeFile(join(home, name), '');
    await type(`@${home}/pl\t`, /plain-text\s*$/);
    expect(screen()).not.toMatch(/owned|\u202e/);
  });

  it('fills in prompts of servers and attaches their resources, and knows whose words they are', async () => {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'writer', version: '1' });
      const argsSchema = z.object({ topic: z.string(), tone: z.string().optional() });
      server.registerPrompt('draft', { argsSchema }, ({ topic, tone = 'plain' }) => ({
        messages: [
          { role: 'user', content: { type: 'text', text: `Write about ${topic}, ${tone}.` } },
        ],
      }));
      server.registerResource('note', 'memo:note', {}, () => ({
        contents: [{ uri: 'memo:note', text: 'the words of a note' }],
      }));
      return server;
    });
    const web = await listen((request) => handler.fetch(request));
    onTestFinished(() => web.close());
    const { type, home } = await open();
    await type('hi\r', /demo\/scripted\n/);
    await run(['mcp', 'add', 'my writer', '--url', web.url], { CERISE_HOME: home });
    await type('/my-w\t', /\/my-writer:draft/);
    await type('\r', /topic: $/);
    expect(await type('bees\r', /demo\/scripted\n/)).toContain('Write about bees, plain.');
    await type('/my-writer:draft topic="red bees" tone=dry\r', /bees, dry\..*demo\/scripted\n/s);
    await type('/my-writer:draft color=red\r', /Write the arguments as name=value: topic, tone/);
    await type('@my-writer:me\t', /@my-writer:memo:note/);
    await type('\r', /demo\/scripted\n/);
    const env = { CERISE_HOME: home };
    const listed = await run(['topics', '--json'], env);
    const { topics } = JSON.parse(listed.stdout) as { topics: { id: string }[] };
    const exported = await run(['topics', 'export', topics[0]?.id ?? '', '--format', 'json'], env);
    const asked = exported.stdout.split('\n').filter((line) => line.includes('"role":"user"'));
    const isMarked = (line: string) => line.includes('"serverName":"my writer"');
    expect(asked.map(isMarked)).toEqual([false, true, true, true]);
  });

  it('tells failures in one line and goes on', async () => {
    const { type } = await open();
    await type('/model nobody\r', /There is no model "nobody"/);
    await type('/resume\r', /Enter \/chats/);
    await type('hi\r', /demo\/scripted\n/);
  });

  it('moves nothing on a terminal that can only print', async () => {
    const { type, screen } = await open({ TERM: 'dumb', CERISE_LANG: 'zh' });
    await type('What is 6*7?\n', /demo\/scripted\n/);
    await type('/servers\n', /calculator +已连接/);
    expect(screen()).not.toContain('\u001b[J');
  });

  it('writes at most three times the text of a long answer', async () => {
    const { type, screen } = await open();
    const before = screen().length;
    const text = await type('/write 20000\r', /demo\/scripted\n/);
    expect(screen().length - before).toBeLessThan(3 * text.length);
    expect(text.length).toBeGreaterThan(50_000);
  });
});
