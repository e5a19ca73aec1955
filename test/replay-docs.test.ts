import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { run, startServer } from './fixtures/cerise-in-process.ts';
import { freshPlace } from './fixtures/http.ts';
import { tool } from './fixtures/pliable.ts';

const pliable = join(import.meta.dirname, 'fakes/pliable-server.mjs');
const page = readFileSync(join(import.meta.dirname, '../docs/replay.md'), 'utf8');

function blocks(language: string): string[] {
  const found = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...found].map(([, text]) => text ?? '');
}

/** The words of a command as a shell reads them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

async function start() {
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0' };
  const server = await startServer(env);
  const cerise = (...args: string[]) => run(args, env);
  const record = () => {
    const [request = ''] = blocks('http');
    const [head = '', body = ''] = request.trim().split('\n\n');
    const [method = '', path = ''] = (head.split('\n')[0] ?? '').split(' ');
    return server.json(method, path, JSON.parse(body));
  };
  const ask = async (question: string) => {
    expect(await cerise('chat', question)).toMatchObject({ code: 0 });
    const { topics } = await server.json<{ topics: Topic[] }>('GET', '/api/topics');
    return topics[0]?.id ?? '';
  };
  return { cerise, record, ask, home };
}

describe('docs/replay.md', () => {
  it('has commands that work, one after the other', async () => {
    const { cerise, record, ask } = await start();
    await record();
    const topic = await ask('What is 6*7?');
    const lines = blocks('sh')
      .flatMap((block) => block.trim().split('\n'))
      .filter((line) => line.startsWith('cerise replay'));
    expect(lines).toHaveLength(4);
    const [first = '', ...branches] = lines.map((line) => line.replace('TOPIC', topic));
    const [, ...args] = wordsOf(first);
    const identical = await cerise(...args);
    expect(identical).toMatchObject({ code: 0, stderr: '' });
    expect(identical.stdout).toMatch(/^Identical\. Requests: 2, blocks: \d+\.\n$/);
    for (const line of branches) {
      const { code, stdout } = await cerise(...wordsOf(line).slice(1));
      expect(code, line).toBe(0);
      expect(stdout).toContain(line.includes('--json') ? '"answer"' : 'Step 2');
      expect(stdout).toContain('42');
    }
  });

  it('has a file of cases that pass', async () => {
    const { cerise, ask, home } = await start();
    const topic = await ask('What is 6*7?');
    const [cases = ''] = blocks('json');
    writeFileSync(join(home, 'cases.json'), cases.replace('TOPIC', topic));
    const lines = blocks('sh')
      .flatMap((block) => block.trim().split('\n'))
      .filter((line) => line.startsWith('cerise eval'));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const words = wordsOf(line).slice(1);
      const inHome = words.map((word) => (/\.(?:json|xml)$/.test(word) ? join(home, word) : word));
      const { code, stdout, stderr } = await cerise(...inHome);
      expect(code, stderr + stdout).toBe(0);
      expect(stdout).toMatch(/calculates +passed +[\d.]+ s\nPassed: 1 of 1\n$/);
    }
    expect(readFileSync(join(home, 'results.xml'), 'utf8')).toContain(
      '<testcase classname="cases.json"',
    );
  });
});

describe('docs/replay.md, on changed servers', { timeout: 60_000 }, () => {
  it('has a command that rehearses one', async () => {
    const { cerise } = await start();
    // No server sees the data folder.
    const folder = await mkdtemp(join(tmpdir(), 'cerise-tools-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'tools.json');
    const say = (answer: string) => {
      const tools = [tool('look', { annotations: { readOnlyHint: true } })];
      writeFileSync(file, JSON.stringify({ tools, answers: { look: answer } }));
    };
    say('one');
    await cerise('mcp', 'add', 'shop', '--', process.execPath, pliable, file);
    await cerise('mcp', 'approve', 'shop', '--yes');
    expect(await cerise('mcp', 'call', 'shop', 'look', '--yes')).toMatchObject({ code: 0 });
    await cerise('mcp', 'edit', 'shop', '--env', 'VERSION=2');
    const line = blocks('sh').find((block) => block.startsWith('cerise mcp rehearse'));
    const words = wordsOf(line ?? '').slice(1);
    const unasked = await cerise(...words);
    expect(unasked).toMatchObject({ code: 1, stdout: '' });
    expect(unasked.stderr).toMatch(/VERSION[^]*read-only calls:\n {2}look \{\}/);
    const same = await cerise(...words, '--yes');
    expect(same.code, same.stderr).toBe(0);
    expect(same.stdout).toMatch(/^The tools haven't changed.\n[^\n]*\nlook \{\} +same\n$/);
    say('two');
    const other = await cerise(...words, '--yes');
    expect(other).toMatchObject({ code: 1 });
    expect(other.stdout).toMatch(/look \{\} +different +content\[0\]\.text +"one" +"two"\n$/);
    expect((await cerise('mcp', 'list')).stdout).toMatch(/shop +needs approval/);
  });
});

describe('cerise replay', () => {
  it('says what it cannot do, with an exit code', async () => {
    const { cerise, ask } = await start();
    const topic = await ask('What is 6*7?');
    const unrecorded = await cerise('replay', topic);
    expect(unrecorded).toMatchObject({ code: 1, stdout: '' });
    expect(unrecorded.stderr).toContain('no record of this answer');
    expect(await cerise('replay', topic, '--answer', 'none')).toMatchObject({ code: 1 });
    expect(await cerise('replay', topic, '--from', '99')).toMatchObject({ code: 2 });
    expect(await cerise('replay', topic, '--from', 'x')).toMatchObject({ code: 2 });
    expect(await cerise('replay', topic, '--tools', 'x')).toMatchObject({ code: 2 });
  });
});
