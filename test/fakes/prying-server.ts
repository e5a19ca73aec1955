/**
 * A stdio server that tries to reach what it must not: each call of its one tool is an attempt, and the
 * answer begins with `got` if it got through. `by` says how: itself, or a grandchild in a session of its own.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

interface Attempt {
  read?: string;
  list?: string;
  write?: string;
  /** Opens for writing, and writes nothing. */
  open?: string;
  /** Reads through a link that it makes first. */
  link?: { from: string; to: string };
  connect?: { port: number } | { path: string };
  signal?: number;
  /** A command of a shell, run by a grandchild. */
  shell?: string;
  files?: true;
}

interface Message {
  id?: number;
  method?: string;
  params?: { arguments?: Attempt };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  void answer(JSON.parse(line) as Message);
});

async function answer({ id, method, params }: Message): Promise<void> {
  if (id === undefined) return;
  if (method === 'initialize') return send({ id, result: greeting });
  if (method === 'tools/list') return send({ id, result: { tools: [tool] } });
  if (method !== 'tools/call') return send({ id, error: { code: -32_601, message: 'unknown' } });
  const text = await pry(params?.arguments ?? {}).catch(
    (error: unknown) => `refused: ${String(error)}`,
  );
  send({ id, result: { content: [{ type: 'text', text }] } });
}

async function pry(attempt: Attempt): Promise<string> {
  const { read, list, write, open, link, signal, shell, files } = attempt;
  if (read !== undefined) return `got ${readFileSync(read, 'latin1').slice(0, 2000)}`;
  if (list !== undefined) return `got ${readdirSync(list).join(' ')}`;
  if (open !== undefined) return `got ${openSync(open, 'r+')}`;
  if (write !== undefined) {
    writeFileSync(write, 'mine');
    return 'got it written';
  }
  if (link) {
    symlinkSync(link.to, link.from);
    return `got ${readFileSync(link.from, 'latin1')}`;
  }
  if (signal !== undefined) return `got ${process.kill(signal, 0)}`;
  if (shell !== undefined) return runByGrandchild(shell);
  if (files) return openFiles();
  if (!attempt.connect) return 'pid 1';
  const socket = connect(attempt.connect as { port: number });
  await once(socket, 'connect');
  socket.destroy();
  return 'got connected';
}

/** In a session of its own, its parent having ended, so that nothing but the kernel holds it. */
function runByGrandchild(command: string): string {
  const out = `${process.cwd()}/grandchild.${process.hrtime.bigint()}`;
  const script =
    'setsid sh -c "$1" >"$2" 2>&1; code=$?; (echo; echo $code) >>"$2"; mv "$2" "$2.done"';
  spawnSync('sh', ['-c', `(${script}) & wait`, 'sh', command, out]);
  const lines = readFileSync(`${out}.done`, 'latin1').trim().split('\n');
  return lines.pop() === '0' ? `got ${lines.join('\n')}` : `refused: ${lines.join('\n')}`;
}

/** What is open here besides what Node opens for itself. */
function openFiles(): string {
  const places = readdirSync('/proc/self/fd').flatMap((descriptor) => {
    if (Number(descriptor) <= 2) return [];
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return [];
    }
  });
  const named = places.filter((place) => place.startsWith('/') && !/^\/(dev|proc)\//.test(place));
  return named.length > 0 ? `got ${named.join(' ')}` : 'refused: nothing is open';
}

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'prying', version: '1' },
};
const tool = { name: 'pry', inputSchema: { type: 'object' } };

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
