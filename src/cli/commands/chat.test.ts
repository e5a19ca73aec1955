import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Event } from '#shared/vocabulary/event.ts';
import type { Conversation, Topic } from '#shared/vocabulary/message.ts';
import { reduce } from '#shared/vocabulary/reduce.ts';
import { startFakeOpenAi, textChunks } from '../../../test/fakes/fake-openai.ts';
import { run, startCommand, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import * as real from '../../../test/fixtures/cerise-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

const write = '/call mcp__filesystem__write_file {"path": "x.txt", "content": "by chat"}';
/** What differs from run to run: durations and ids. */
const steady = (text: string) => text.replaceAll(/\d+ ms|topic \S+/g, '…');

async function start() {
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0' };
  return { home, env, file: join(home, 'workspace/x.txt') };
}

describe('cerise chat', () => {
  it('shows thinking, tools and text, the same in process and through a running server', async () => {
    const one = await start();
    const question = 'What is 6*7?';
    const inProcess = await run(['chat', question], one.env);
    expect(inProcess).toMatchObject({ code: 0, stderr: '' });
    expect(inProcess.stdout).toMatch(/calculate.*✓ calculator · calculate .*42.*demo\/scripted/s);
    const two = await start();
    const server = await startServer(two.env);
    const through = await run(['chat', question], two.env);
    expect(through).toMatchObject({ code: 0, stderr: '' });
    expect(steady(through.stdout)).toBe(steady(inProcess.stdout));
    const { topics } = await server.json<{ topics: Topic[] }>('GET', '/api/topics');
    expect(topics).toHaveLength(1);
  });

  it('goes on in a topic, also without the server it began with', async () => {
    const { env } = await start();
    const first = await run(['chat', 'What is 6*7?'], env);
    const [, topic = ''] = /topic (\S+)/.exec(first.stdout) ?? [];
    const second = await run(['chat', '--topic', topic, 'what', 'did', 'I', 'ask?'], env);
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toContain('What is 6*7?');
  });

  it('prints its events as JSON for programs, and reads a question from standard input', async () => {
    const { env } = await start();
    const command = startCommand(['chat', '--json', 'What is', '-'], env, 'pipe');
    command.stdin.end('6*7?');
    expect(await command.ended).toBe(0);
    const events = command
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Event);
    expect(events[0]).toMatchObject({ type: 'snapshot' });
    const conversation = events.reduce<Conversation | undefined>(
      (state, event) =>
        event.type === 'snapshot' ? event.conversation : state && reduce(state, event),
      undefined,
    );
    expect(JSON.stringify(conversation?.messages.at(-1))).toContain('42');
  });

  it('uses no tools when told so', async () => {
    const { env } = await start();
    const { code, stdout } = await run(['chat', '--no-tools', 'What is 6*7?'], env);
    expect(code).toBe(0);
    expect(stdout).not.toContain('✓');
  });

  it('denies what may change something when nobody is there to ask, and says so', async () => {
    const { env, file } = await start();
    const { code, stdout, stderr } = await run(['chat', write], env);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Denied, because this isn.t an interactive terminal\. Use --yes/);
    expect(stderr).toContain('write_file');
    expect(stdout).toContain('✗ filesystem · write_file');
    expect(existsSync(file)).toBe(false);
  });

  it('runs it with --yes', async () => {
    const { env, file } = await start();
    const { code, stdout } = await run(['chat', '--yes', write], env);
    expect(code).toBe(0);
    expect(stdout).toContain('✓ filesystem · write_file');
    expect(await readFile(file, 'utf8')).toBe('by chat');
  });

  it('lets no escape sequence of a model or a tool reach the terminal', async () => {
    const { env } = await start();
    const hostile = '\u001b[2Jgone\u001b]0;title\u0007\u009b31mred\u202eback\r\u0008over';
    const vendor = await startFakeOpenAi();
    onTestFinished(() => vendor.close());
    vendor.respond({
      chunks: textChunks(['a \u001b', '[31mred ', hostile], [`thinks ${hostile}`]),
    });
    const server = await startServer(env);
    await server.json('POST', '/api/providers', {
      name: 'vendor',
      baseUrl: vendor.baseUrl,
      models: ['fake-model'],
    });
    const said = await run(['chat', '--model', 'vendor/fake-model', 'hi'], env);
    expect(said).toMatchObject({ code: 0 });
    expect(said.stdout).toContain('gone');
    const call = `/call mcp__demo__echo ${JSON.stringify({ message: hostile })}`;
    const echoed = await run(['chat', call], env);
    expect(echoed.stdout).toContain('✓ demo · echo');
    const asked = `/call mcp__filesystem__write_file ${JSON.stringify({ path: 'a', content: hostile })}`;
    const denied = await run(['chat', asked], env);
    expect(denied.stderr).toContain('Denied');
    for (const { stdout, stderr } of [said, echoed, denied])
      expect(`${stdout}${stderr}`).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/u);
  });

  it('says how much of a large result it leaves out, and names media with type and size', async () => {
    const { env } = await start();
    const calls = '/call large_result {"kilobytes":300}\n/call play_sound {}';
    const { code, stdout } = await run(['chat', calls], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /✓ demo · large_result[^]*\[… 30\d,\d{3} characters omitted; full result stored \(300 KiB/,
    );
    expect(stdout).toMatch(/✓ demo · play_sound[^]*\[audio: audio\/wav, [1-9]\d* KiB\]/);
  });

  it('exits with 1 when the answer fails, and shows why', async () => {
    const { env } = await start();
    const { code, stdout } = await run(['chat', '/error model_rate_limited'], env);
    expect(code).toBe(1);
    expect(stdout).toContain('model_rate_limited');
  });

  it('refuses an unknown model or topic in one line, and leaves nothing behind', async () => {
    const { env } = await start();
    const server = await startServer(env);
    for (const args of [
      ['--model', 'nobody/nothing'],
      ['--topic', 'none'],
      ['--topic', '../../healthz'],
    ]) {
      const { code, stdout, stderr } = await run(['chat', ...args, 'hi'], env);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^cerise: [^\n]+\n$/);
    }
    expect(await server.json('GET', '/api/topics')).toEqual({ topics: [] });
  });

  it('is not led astray by what a dead server left', async () => {
    const { env, home } = await start();
    for (const left of ['', '{"url": "http://127', '{"url":"http://127.0.0.1:9","token":"x"}']) {
      await writeFile(join(home, 'server.json'), left);
      expect(await run(['chat', '--no-tools', 'hi'], env)).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('stops the answer at Ctrl-C and exits with 130, in process and through a server', async () => {
    const { env } = await start();
    const slow = { ...env, CERISE_DEMO_PACE: '20' };
    for (const through of [false, true]) {
      const server = through ? await real.startServer(slow) : undefined;
      const command = real.startCommand(['chat', '/write 5000'], slow);
      await command.says(/\S+ \S+ \S+/);
      command.child.kill('SIGINT');
      expect(await command.ended).toBe(130);
      const [, topic = ''] = /Stopped\.\n\n\S+ · topic (\S+)/.exec(command.stdout()) ?? [];
      expect(command.stderr()).toBe('');
      if (!server) continue;
      const { messages } = await server.json<Conversation>('GET', `/api/topics/${topic}`);
      expect(messages.at(-1)).toMatchObject({ status: 'stopped' });
    }
  });

  it('says when the data folder is in use by a process that does not answer', async () => {
    const { env, home } = await start();
    const server = await real.startServer(env);
    await writeFile(join(home, 'server.json'), '{"url":"http://127.0.0.1:9","token":"x"}');
    const { code, stderr } = await run(['chat', 'hi'], env);
    expect(code).toBe(1);
    expect(stderr).toContain(`process ${server.child.pid}`);
  });
});
