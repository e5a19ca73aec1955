import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { textChunks, toolCallChunks } from '../fakes/fake-openai.ts';

/** What an answer is to be: its question says it, so that any instance gets the same one. */
export interface Plan {
  name: string;
  words: number;
  /** Milliseconds between two words. */
  pace: number;
  /** Whether a tool is called first, which keeps the name of the plan. */
  calls: boolean;
}

/** The question that brings an answer about. */
export function question(plan: Plan): string {
  return `plan ${JSON.stringify(plan)}`;
}

/** The text that an answer ends with, whatever happened on the way. */
export function wholeText({ name, words }: Plan): string {
  return pieces(name, words).join('');
}

function pieces(name: string, words: number): string[] {
  return Array.from({ length: words }, (_, n) => `${name}·${n} `);
}

interface Asked {
  stream?: boolean;
  messages: { role: string; content?: unknown }[];
}

/** A model vendor on loopback for any number of answers at once, each as its question wants it. */
export async function startProvider(): Promise<{ baseUrl: string }> {
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece as string;
      await answer(response, JSON.parse(text || '{"messages":[]}') as Asked);
    })();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

async function answer(response: ServerResponse, { messages }: Asked): Promise<void> {
  const place = messages.findLastIndex(({ role }) => role === 'user');
  const asked = /plan (\{.*?\})/.exec(textOf(messages[place]?.content));
  const plan = asked?.[1] ? (JSON.parse(asked[1]) as Plan) : undefined;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const hasCalled = messages.slice(place).some(({ role }) => role === 'tool');
  const chunks = !plan
    ? textChunks(['A title'])
    : plan.calls && !hasCalled
      ? toolCallChunks([
          { id: 'call-1', name: tool, arguments: JSON.stringify({ key: plan.name }) },
        ])
      : textChunks(pieces(plan.name, plan.words));
  for (const chunk of chunks) {
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    await setTimeout(plan?.pace ?? 0);
  }
  response.end('data: [DONE]\n\n');
}

/** The name that the model knows the tool of fakes/append-server.ts by. */
const tool = 'mcp__notes__append';

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as { text?: string }[]) : [];
  return parts.map(({ text = '' }) => text).join('');
}
