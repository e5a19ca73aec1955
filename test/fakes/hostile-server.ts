/**
 * A scriptable MCP server over stdio for tests. Its first argument is a JSON scenario; without one it
 * is a well-behaved server. It speaks raw lines, so that it can also speak nonsense.
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Scenario {
  /** Written to stdout before anything else. */
  banner?: string;
  /** Exits with this code at once, after `stderr`. */
  exitAtStart?: number;
  stderr?: string;
  /** Never answers this method. */
  silentOn?: string;
  /** Answers `initialize` with a protocol error. */
  refuseInitialize?: boolean;
  /** Names of the tools, in pages of `pageSize`. */
  tools?: string[];
  pageSize?: number;
  /** Input schemas of tools, by name; without one a tool takes anything. */
  schemas?: Record<string, object>;
  /** The same cursor on every page. */
  repeatCursor?: boolean;
  /** A new cursor on every page, for ever. */
  endlessPages?: boolean;
  /** A child of this server that ignores SIGTERM and end of input; its pid goes to stderr. */
  grandchild?: boolean;
  /** Ignores SIGTERM and end of input itself. */
  stubborn?: boolean;
  /** Every call and every notification is appended here as a line of JSON. */
  journal?: string;
}

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
}

const scenario = JSON.parse(process.argv[2] ?? '{}') as Scenario;
const pageSize = scenario.pageSize ?? 100;
const toolNames = scenario.tools ?? [
  'echo',
  'environment',
  'slow',
  'large',
  'die',
  'garbage',
  'deep',
];

if (scenario.stderr) process.stderr.write(`${scenario.stderr}\n`);
if (scenario.exitAtStart !== undefined) {
  journal({ method: 'exit' });
  process.exit(scenario.exitAtStart);
}
if (scenario.banner) process.stdout.write(`${scenario.banner}\n`);
if (scenario.grandchild) startGrandchild();
if (scenario.stubborn) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
}

createInterface({ input: process.stdin }).on('line', (line) =>
  receive(JSON.parse(line) as Message),
);

function receive(message: Message): void {
  const { id, method = '' } = message;
  if (method !== 'initialize') journal(message);
  if (id === undefined || method === scenario.silentOn) return;
  if (method === 'initialize') initialize(id);
  else if (method === 'tools/list') answer(id, toolPage(message.params?.cursor));
  else if (method === 'tools/call') call(id, message.params ?? {});
  else answer(id, {});
}

function initialize(id: number): void {
  if (scenario.refuseInitialize) {
    send({ id, error: { code: -32601, message: 'Method not found' } });
    return;
  }
  answer(id, {
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'hostile', version: '1' },
  });
}

function toolPage(cursor: unknown): object {
  const start = typeof cursor === 'string' ? Number(cursor) : 0;
  if (scenario.repeatCursor) return { tools: [tool('only')], nextCursor: '0' };
  if (scenario.endlessPages) return { tools: [tool(`t${start}`)], nextCursor: String(start + 1) };
  const end = start + pageSize;
  return {
    tools: toolNames.slice(start, end).map(tool),
    ...(end < toolNames.length && { nextCursor: String(end) }),
  };
}

/** `monstrous` has a schema that is far too deep. */
function tool(name: string): object {
  if (name === 'monstrous') return { name, inputSchema: JSON.parse(`{"a":${nested(5000)}}`) };
  const inputSchema = scenario.schemas?.[name] ?? { type: 'object' };
  return { name, description: `Tool ${name}`, inputSchema };
}

function call(id: number, params: Record<string, unknown>): void {
  const args = (params.arguments ?? {}) as Record<string, unknown>;
  const { progressToken } = (params._meta ?? {}) as { progressToken?: number };
  switch (params.name) {
    case 'echo':
      return answer(id, text(JSON.stringify(args)));
    case 'environment':
      return answer(id, text(JSON.stringify(process.env)));
    case 'unknown-part':
      return answer(id, { content: [{ type: 'hologram', data: 1 }] });
    case 'unreadable':
      return answer(id, { content: 'not a list' });
    case 'progress':
      send({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, total: 4, message: 'a quarter' },
      });
      return answer(id, text('done'));
    case 'slow':
      send({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      return undefined;
    case 'large':
      return answer(id, text('x'.repeat(Number(args.bytes))));
    case 'crowded':
      return answerRaw(id, `{"content":[],"structuredContent":${crowd(args)}}`);
    case 'endless':
      return writeEndlessly();
    case 'deep':
      return answerRaw(id, `{"content":[],"structuredContent":{"a":${nested(100_000)}}}`);
    case 'garbage':
      process.stdout.write('not json\n{"half": \n[1,2]\n"text"\n\n');
      return answer(id, text('after garbage'));
    case 'change':
      send({ method: 'notifications/tools/list_changed' });
      return answer(id, text('changed'));
    case 'flood':
      return flood(id, Number(args.changes));
    case 'close-output':
      process.stdout.end();
      return undefined;
    case 'act-and-die':
      appendFileSync(String(args.file), 'done\n');
      return process.exit(3);
    case 'act':
      appendFileSync(String(args.file), 'done\n');
      return answer(id, text('done'));
    case 'die':
      process.stderr.write('dying as told\n');
      return process.exit(3);
    case 'answer-and-die':
      answer(id, text('last words'));
      return process.exit(0);
    default:
      send({ id, error: { code: -32602, message: `Tool ${String(params.name)} not found` } });
      return undefined;
  }
}

/** Says a thousand times a second that the tools have changed. */
function flood(id: number, changes: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    for (let step = 0; step < 10; step++) send({ method: 'notifications/tools/list_changed' });
    sent += 10;
    if (sent < changes) return;
    clearInterval(timer);
    answer(id, text('flooded'));
  }, 10);
}

function writeEndlessly(): void {
  const chunk = 'x'.repeat(1024 * 1024);
  while (process.stdout.write(chunk));
  process.stdout.once('drain', writeEndlessly);
}

function crowd({ parts = 0, fields = 0 }: { parts?: number; fields?: number }): string {
  const lists = Array.from({ length: parts }, () => '{}');
  const named = Array.from({ length: fields }, (_, n) => `"n${n}":0`);
  return `{"a":[${lists.join(',')}],"b":{${named.join(',')}}}`;
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function text(value: string): object {
  return { content: [{ type: 'text', text: value }] };
}

function answer(id: number, result: object): void {
  send({ id, result });
}

function answerRaw(id: number, result: string): void {
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${result}}\n`);
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function journal(message: Message): void {
  if (scenario.journal) appendFileSync(scenario.journal, `${JSON.stringify(message)}\n`);
}

function startGrandchild(): void {
  const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  const { pid } = spawn(process.execPath, ['-e', code], { stdio: 'inherit' });
  process.stderr.write(`grandchild ${pid}\n`);
}
