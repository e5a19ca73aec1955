import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import '../models/end-with-parent.ts';
import { benchToken } from '../processes.ts';
import { AnswerReader } from './answer-reader.ts';
import { listen } from './control.ts';
import { Delays, delaysOf } from './stamp.ts';

// Viewers of many topics in one process. `/watch` takes addresses and answers when all are connected;
// `/seen` tells of the delays since the last time it was asked, and of answers that have ended.

/** Connections that are made at once: a listening socket queues only so many. */
const atOnce = 50;
const delays = new Delays();
const ended = { count: 0, characters: 0, failed: 0, cut: 0 };

const server = createServer((request, response) => {
  const answered = request.url === '/watch' ? watchAll(json(request)) : Promise.resolve(tell());
  void answered.then((value) => response.end(JSON.stringify(value)));
});

async function watchAll(asked: Promise<unknown>): Promise<object> {
  const urls = (await asked) as string[];
  for (let start = 0; start < urls.length; start += atOnce)
    await Promise.all(urls.slice(start, start + atOnce).map(watch));
  return {};
}

function tell(): object {
  const { count } = delays;
  const seen = { count, p50: delays.percentile(0.5), p99: delays.percentile(0.99), ended };
  delays.clear();
  return seen;
}

async function watch(url: string): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1').setNoDelay();
  socket.write(
    `GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n` +
      `authorization: Bearer ${benchToken}\r\naccept: text/event-stream\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [string];
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`${url} answered ${head.slice(0, 200)}`);
  const reader = new AnswerReader({ onText, onEnd });
  reader.push(head);
  socket.on('data', (piece) => reader.push(String(piece)));
  socket.on('close', () => void (ended.cut += 1));
}

function onText(text: string): void {
  for (const delay of delaysOf(text, Date.now())) delays.add(delay);
}

function onEnd(status: string, length: number): void {
  ended.count += 1;
  ended.characters += length;
  if (status !== 'success') ended.failed += 1;
}

await listen(server);
