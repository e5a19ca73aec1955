// Starts processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { callsIn, newSession, openEditor, prompt, saidIn } from './fixtures/acp-editor.ts';
import { startServer } from './fixtures/cerise-process.ts';

const program = join(import.meta.dirname, '../bin/built.mjs');

it('cerise acp lends an editor the chats of the running host, and ends with it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cerise-acp-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const host = await startServer({ CERISE_HOME: home });
  const child = spawn(process.execPath, [program, 'acp'], {
    env: { PATH: process.env.PATH, CERISE_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const editor = openEditor(child, () => new Promise(() => undefined));
  const sessionId = await newSession(editor);
  expect(await prompt(editor, sessionId, 'What time is it in Tokyo?')).toBe('end_turn');
  expect(saidIn(editor, 'agent_message_chunk')).toContain('Tokyo');
  expect(callsIn(editor).at(-1)).toMatch(/: completed$/);
  const { topics } = await host.json<{ topics: Topic[] }>('GET', '/api/topics');
  expect(topics.map(({ id }) => id)).toEqual([sessionId]);
  // It also ends while a call waits, which goes on waiting in the host.
  void prompt(editor, sessionId, 'Write "hello" to notes.txt').catch(() => undefined);
  await expect.poll(() => editor.permissions.length, { timeout: 20_000 }).toBe(1);
  child.stdin.end();
  expect(await exited).toEqual([0, null]);
  const { topic } = await host.json<{ topic: Topic }>('GET', `/api/topics/${sessionId}`);
  expect(topic.isLoading).toBe(true);
});
