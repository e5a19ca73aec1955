import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { main } from '../main.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

/** `cerise` at a terminal of 80 × 24, in the process of the test. */
async function open(env: Record<string, string> = {}) {
  const { home } = await freshPlace();
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const output = () =>
    Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 80,
      rows: 24,
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

  it('stops a running answer at Ctrl-C, and keeps what was typed meanwhile', async () => {
    const { type } = await open({ CERISE_DEMO_PACE: '20' });
    await type('/write 5000\r', /Part 1/);
    await type('next\u0003', /Stopped\..*> next/s);
  });

  it('stops an answer that has not begun', async () => {
    const { type } = await open({ CERISE_DEMO_PACE: '20' });
    await type('/write 5000\r\u0003', /Stopped\..*> /s);
  });

  it('takes several lines, pasted or typed, and names of files as attachments', async () => {
    const { type, home } = await open();
    const file = join(home, 'note.txt');
    await writeFile(file, 'words of a file');
    const sent = await type(`\u001b[200~one\rtwo\u001b[201~\\\r@${file}\r`, /demo\/scripted\n/);
    expect(sent).toMatch(/> one\n {2}two\n {2}@/);
    expect(await type('/export\r', /note\.txt/)).toContain('one\ntwo');
  });

  it('completes commands, models and files', async () => {
    const { type } = await open();
    await type('hi\r', /demo\/scripted\n/);
    await type('/mo\t', /\/model /);
    await type('demo/s\t\r', /Using demo\/scripted/);
  });

  it('tells failures in one line and goes on', async () => {
    const { type } = await open();
    await type('/model nobody\r', /There is no model "nobody"/);
    await type('/resume\r', /Enter \/chats/);
    await type('hi\r', /demo\/scripted\n/);
  });

  it('moves nothing on a terminal that can only print', async () => {
    const { type, screen } = await open({ TERM: 'dumb' });
    await type('What is 6*7?\n', /demo\/scripted\n/);
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
