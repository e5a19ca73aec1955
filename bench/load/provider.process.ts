import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import '../models/end-with-parent.ts';
import { frames } from '../models/frames.ts';
import { deltaText } from '../models/load.ts';
import { listen } from './control.ts';
import { stamp } from './stamp.ts';

// A provider whose answers go on until it is told to end them: 50 deltas a second each, every delta an
// HTTP chunk of its own that carries the time it was sent. Turns take their places in five groups that
// are served in turn, so that the deltas of all do not come at once.

const tick = 4;
const groups = Array.from({ length: 5 }, () => new Map<ServerResponse, Socket>());
const template = frames.openai.delta(0);
let asked = 0;
let sent = 0;

const server = createServer((request, response) => {
  const { socket } = response;
  if (request.url === '/end') return void response.end(endAll());
  if (request.url === '/sent') return void response.end(JSON.stringify({ sent }));
  if (request.method === 'GET' || !socket) return void response.end('{"data":[]}');
  request.resume().once('end', () => begin(response, socket));
});

function begin(response: ServerResponse, socket: Socket): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(frames.openai.opening);
  const group = groups[asked++ % groups.length];
  group?.set(response, socket);
  response.once('close', () => group?.delete(response));
}

/** Past the response, which would copy and frame the same bytes again for every turn. */
function serve(group: Map<ServerResponse, Socket>): void {
  const frame = template.replace(deltaText(0), stamp(Date.now()));
  const chunk = Buffer.from(`${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`);
  for (const socket of group.values()) socket.write(chunk);
  sent += group.size;
}

function endAll(): string {
  clearInterval(timer);
  for (const group of groups)
    for (const response of group.keys()) response.end(frames.openai.ending);
  return JSON.stringify({ sent });
}

let served = Math.floor(performance.now() / tick);
const timer = setInterval(() => {
  const due = Math.floor(performance.now() / tick);
  for (; served < due; served += 1) {
    const group = groups[served % groups.length];
    if (group) serve(group);
  }
}, tick);

await listen(server);
