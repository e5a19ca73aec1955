import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { Pool } from 'undici';
import type { Connect, Target } from '../contestant.ts';
import { createMemoryServer } from '../memory-server.ts';

// The least a client can do: number the requests, match the answers, believe everything.

type Answer = { id: number; result: never };
type Send = (message: { id?: number; method: string; params: object }) => void;

/** A wire and a map. No clocks, no checks, no errors, no cancelling. */
export const connect: Connect = async (target) => {
  const waiting = new Map<number, (result: never) => void>();
  const onAnswer = ({ id, result }: Answer): void => {
    waiting.get(id)?.(result);
    waiting.delete(id);
  };
  const { send, close } = await open(target, onAnswer);
  let last = 0;
  const ask = <T>(method: string, params: object): Promise<T> =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  if (target.transport === 'memory' || target.era === 'legacy') {
    const clientInfo = { name: 'bench', version: '1.0.0' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    send({ method: 'notifications/initialized', params: {} });
  }
  return {
    call: (name, call) => ask('tools/call', { name, arguments: call.arguments }),
    list: () => listAll(ask),
    close,
  };
};

async function listAll(ask: <T>(method: string, params: object) => Promise<T>): Promise<number> {
  let count = 0;
  let params: { cursor?: string } = {};
  for (;;) {
    const page = await ask<{ tools: object[]; nextCursor?: string }>('tools/list', params);
    count += page.tools.length;
    if (page.nextCursor === undefined) return count;
    params = { cursor: page.nextCursor };
  }
}

interface Wire {
  send: Send;
  close: () => Promise<unknown>;
}

async function open(target: Target, onAnswer: (answer: Answer) => void): Promise<Wire> {
  switch (target.transport) {
    case 'memory':
      return openMemory(onAnswer);
    case 'stdio':
      return openStdio(target, onAnswer);
    case 'http':
      return openHttp(target.url, onAnswer);
  }
}

async function openMemory(onAnswer: (answer: Answer) => void): Promise<Wire> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMemoryServer().connect(far);
  Object.assign(near, { onmessage: onAnswer });
  await near.start();
  return {
    send: (message) => void near.send({ jsonrpc: '2.0', ...message } as never),
    close: () => near.close(),
  };
}

function openStdio(
  { command, args }: { command: string; args: string[] },
  onAnswer: (answer: Answer) => void,
): Wire {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onAnswer(JSON.parse(line) as Answer);
  });
  return {
    send: (message) => void child.stdin.write(`${toJson(message)}\n`),
    close: () => {
      child.stdin.end();
      return once(child, 'exit');
    },
  };
}

function openHttp(url: string, onAnswer: (answer: Answer) => void): Wire {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-param-text': 'x',
  };
  const send: Send = (message) => {
    const parts: Buffer[] = [];
    pool.dispatch(
      { path: pathname, method: 'POST', headers, body: toJson(message) },
      {
        onRequestStart: ignore,
        onResponseStart: ignore,
        onResponseData: (_controller, chunk) => void parts.push(chunk),
        onResponseEnd: () => {
          const text = Buffer.concat(parts).toString();
          if (text !== '') onAnswer(JSON.parse(text) as Answer);
        },
        onResponseError: (_controller, error) => {
          throw error;
        },
      },
    );
  };
  return { send, close: () => pool.destroy() };
}

function ignore(): void {
  // undici wants to tell all.
}

function toJson(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}
