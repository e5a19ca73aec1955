import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { cutOff } from './cut-off.ts';

/** How the fake answers one chat completion. */
export interface FakeResponse {
  /** Objects sent as server-sent events, `[DONE]` after the last. */
  chunks?: unknown[];
  /** Sent as it is, instead of `chunks`. */
  raw?: string | Buffer;
  status?: number;
  headers?: Record<string, string>;
  /** `once`: all in one write; `each`: every event is an HTTP chunk of its own. */
  write?: 'once' | 'each';
  /** Milliseconds between two events with `each`. */
  delay?: number;
  /** Stop after so many bytes: cut the connection, or end it as if all were said. */
  cut?: { at: number; how: 'reset' | 'end' };
  /** Sent one after the other, instead of `chunks`. */
  pieces?: Buffer[];
  /** Send what there is (only the head, if there is nothing) and do not end until the client leaves. */
  hang?: boolean;
  /** Cut the connection without a word. */
  drop?: boolean;
}

/** A request as it came in. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** The running fake. */
export interface FakeOpenAi {
  /** The base URL, `http://127.0.0.1:PORT/v1`. */
  baseUrl: string;
  requests: RecordedRequest[];
  /** How many connections there were. */
  connections: number;
  /** Answers of the next requests, in order; when none is left the last one is repeated. */
  respond(...responses: FakeResponse[]): void;
  /** Called with each request as soon as it has arrived whole. */
  onRequest: (() => void) | undefined;
  /** Called with each response that the client left before its end. */
  onLeft: (() => void) | undefined;
  close(): Promise<void>;
}

/** An OpenAI-compatible server on loopback that says what it is told to say. */
export async function startFakeOpenAi(models: unknown[] = ['fake-model']): Promise<FakeOpenAi> {
  let script: FakeResponse[] = [{ chunks: textChunks(['Hello', ' there']) }];
  const fake: FakeOpenAi = {
    baseUrl: '',
    requests: [],
    connections: 0,
    respond(...responses) {
      script = responses;
    },
    onRequest: undefined,
    onLeft: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece as string;
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      const { method = '', url = '', headers } = request;
      fake.requests.push({ method, path: url, headers, body });
      fake.onRequest?.();
      if (url.endsWith('/models')) return sendModels(response, models);
      const next = script.length > 1 ? script.shift() : script[0];
      response.on('close', () => {
        if (!response.writableFinished) fake.onLeft?.();
      });
      await send(response, next ?? {});
    })();
  });
  server.on('connection', () => (fake.connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return fake;
}

function sendModels(response: ServerResponse, models: unknown[]): void {
  const data = models.map((model) =>
    typeof model === 'string' ? { id: model, object: 'model' } : model,
  );
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ object: 'list', data }));
}

async function send(response: ServerResponse, answer: FakeResponse): Promise<void> {
  const { status = 200, headers = {}, cut, delay = 0 } = answer;
  const write = answer.pieces ? 'each' : (answer.write ?? 'once');
  if (answer.drop) return void response.socket?.destroy();
  const type = status === 200 ? 'text/event-stream' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.socket?.setNoDelay(true);
  if (answer.hang) {
    response.flushHeaders();
    if (answer.raw !== undefined) response.write(answer.raw);
    return;
  }
  const pieces = write === 'each' ? piecesOf(answer) : [Buffer.concat(piecesOf(answer))];
  let left = cut?.at ?? Infinity;
  for (const piece of pieces) {
    const part = piece.subarray(0, left);
    left -= part.length;
    if (part.length > 0 && !response.write(part)) await once(response, 'drain');
    if (left === 0 || response.destroyed) break;
    if (write === 'each') await (delay > 0 ? setTimeout(delay) : setImmediate());
  }
  if (cut?.how === 'reset') await cutOff(response);
  else response.end();
}

function piecesOf({ chunks = [], raw, pieces }: FakeResponse): Buffer[] {
  if (pieces !== undefined) return pieces;
  if (raw !== undefined) return [Buffer.from(raw)];
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) =>
    Buffer.from(`data: ${data}\n\n`),
  );
}

/** The bytes of an answer as they go over the line. */
export function sseBytes(chunks: unknown[]): Buffer {
  return Buffer.concat(piecesOf({ chunks }));
}

const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };

function chunk(delta: unknown, finish: string | null = null): unknown {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fake', choices };
}

/** A text answer, one event a delta, thinking first if there is any. */
export function textChunks(deltas: string[], thinking: string[] = []): unknown[] {
  return [
    ...thinking.map((text) => chunk({ role: 'assistant', reasoning_content: text })),
    ...deltas.map((text) => chunk({ content: text })),
    chunk({}, 'stop'),
    {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'fake',
      choices: [],
      usage,
    },
  ];
}

/** An answer that calls tools; the arguments come in two pieces each. */
export function toolCallChunks(
  calls: { id: string; name: string; arguments: string }[],
): unknown[] {
  const events = calls.flatMap((call, index) => {
    const middle = Math.floor(call.arguments.length / 2);
    const [first, second] = [call.arguments.slice(0, middle), call.arguments.slice(middle)];
    const head = {
      index,
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: first },
    };
    return [
      chunk({ tool_calls: [head] }),
      chunk({ tool_calls: [{ index, function: { arguments: second } }] }),
    ];
  });
  return [...events, chunk({}, 'tool_calls')];
}
