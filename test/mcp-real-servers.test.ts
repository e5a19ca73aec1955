import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import { approved, testService } from './fakes/mcp-servers.ts';
import { freePort } from './fixtures/free-port.ts';
import { realServer } from './real-servers.ts';

const patience = { timeout: 20_000 };
/** What one start has compiled the next one need not. */
const compiled = join(import.meta.dirname, '../node_modules/.cache/cerise-test/compiled');

const folder = mkdtempSync(join(tmpdir(), 'cerise-'));
writeFileSync(join(folder, 'note.txt'), 'a note');
const reference = '@modelcontextprotocol/server';
const newest = '2026.8.31';

/** A real server, and what of it is tried. */
interface Subject {
  name: string;
  version: string;
  type?: 'streamableHttp' | 'sse';
  args?: string[];
  env?: Record<string, string>;
  protocol: string;
  tools: number;
  call: [tool: string, args: JsonObject, answer: string];
  /** The tool answers that it failed. */
  toolFails?: boolean;
  /** The address of a resource and a piece of its text. */
  resource?: [uri: string, text: string];
  prompt?: [name: string, args: Record<string, string>, text: string];
  completion?: [prompt: string, argument: string, value: string, proposal: string];
  long?: [tool: string, args: JsonObject];
}

const everything = {
  name: `${reference}-everything`,
  version: newest,
  protocol: '2025-11-25',
  tools: 17,
  call: ['echo', { message: 'hi' }, 'Echo: hi'],
  resource: ['demo://resource/static/document/architecture.md', 'Architecture'],
  prompt: ['args-prompt', { city: 'Oslo' }, 'Oslo'],
  completion: ['completable-prompt', 'department', 'En', 'Engineering'],
  long: ['trigger-long-running-operation', { duration: 60, steps: 600 }],
} satisfies Omit<Subject, 'type'>;

const subjects: Subject[] = [
  everything,
  { ...everything, type: 'streamableHttp' },
  { ...everything, type: 'sse' },
  {
    name: `${reference}-everything`,
    version: '0.6.2',
    protocol: '2024-11-05',
    tools: 5,
    call: ['add', { a: 2, b: 3 }, 'The sum of 2 and 3 is 5.'],
    resource: ['test://static/resource/1', 'Resource 1'],
    prompt: ['complex_prompt', { temperature: '1' }, 'temperature=1'],
    long: ['longRunningOperation', { duration: 60, steps: 600 }],
  },
  {
    name: `${reference}-filesystem`,
    version: newest,
    args: [folder],
    protocol: '2025-11-25',
    tools: 14,
    call: ['read_text_file', { path: join(folder, 'note.txt') }, 'a note'],
  },
  {
    name: `${reference}-memory`,
    version: newest,
    env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    protocol: '2025-11-25',
    tools: 9,
    call: ['read_graph', {}, 'entities'],
    resource: ['memory://knowledge-graph', 'entities'],
  },
  {
    name: `${reference}-sequential-thinking`,
    version: newest,
    protocol: '2025-11-25',
    tools: 1,
    call: [
      'sequentialthinking',
      { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      '"thoughtNumber": 1',
    ],
  },
  {
    name: 'mcp-server-sqlite',
    version: '0.0.2',
    args: [join(folder, 'data.db')],
    protocol: '2025-11-25',
    tools: 10,
    call: ['query', { sql: 'select 6 * 7 as answer' }, 'Database error'],
    // Its database library would be compiled by an install script, which we never run.
    toolFails: true,
    resource: ['schema://database', ''],
    prompt: ['generate-query', { requirement: 'all birds' }, 'query'],
  },
  {
    name: `${reference}-map`,
    version: '2.0.3',
    args: ['--stdio'],
    protocol: '2025-11-25',
    tools: 2,
    call: ['show-map', {}, ''],
    resource: ['ui://cesium-map/mcp-app.html', 'cesiumContainer'],
  },
  {
    name: `${reference}-system-monitor`,
    version: '2.0.3',
    args: ['--stdio'],
    protocol: '2025-11-25',
    tools: 2,
    call: ['get-system-info', {}, 'cpu'],
    resource: ['ui://system-monitor/mcp-app.html', 'html'],
  },
];

const answers: RequestAnswers = {
  elicit: async () => ({ action: 'decline' }),
  sample: async () => ({ role: 'assistant', content: { type: 'text', text: 'ok' }, model: 'test' }),
  roots: async () => [],
};
const service = testService({ answers: () => answers });
const children: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await service.close();
  await Promise.all(children.map((end) => end()));
});

let lastCall = 0;
function call(serverId: string, name: string, args: JsonObject, more = {}) {
  return service.callTool({ serverId, name, arguments: args, callId: `c${++lastCall}`, ...more });
}

for (const subject of subjects) {
  const script = await realServer(subject.name, subject.version);
  const title = `${subject.name}@${subject.version} over ${subject.type ?? 'stdio'}`;
  describe.skipIf(!script)(title, () => {
    let id = '';

    it('connects in its era and lists everything', async () => {
      const record = await configure(subject, script ?? '');
      id = record.id;
      await service.setServer(record);
      const { agreement } = (await service.initClient(id)).greeting;
      expect(agreement).toEqual({ era: 'legacy', version: subject.protocol });
      expect(await service.listTools(id)).toHaveLength(subject.tools);
      const resources = await service.listResources(id);
      const prompts = await service.listPrompts(id);
      await service.listResourceTemplates(id);
      expect(resources.length > 0).toBe(subject.resource !== undefined);
      expect(prompts.length > 0).toBe(subject.prompt !== undefined);
    });

    it('runs a tool', async () => {
      const [name, args, answer] = subject.call;
      const result = await call(id, name, args);
      expect(JSON.stringify(result)).toContain(JSON.stringify(answer).slice(1, -1));
      expect(result.isError ?? false).toBe(subject.toolFails ?? false);
      expect(result.problem).toBeUndefined();
    });

    if (subject.resource)
      it('gives a resource', async () => {
        const [uri = '', text = ''] = subject.resource ?? [];
        const [contents] = await service.getResource(id, uri);
        expect(contents?.text?.includes(text)).toBe(true);
      });

    if (subject.prompt)
      it('gives a prompt', async () => {
        const [name = '', args, text = ''] = subject.prompt ?? [];
        const { messages } = await service.getPrompt(id, name, args);
        expect(JSON.stringify(messages)).toContain(text);
      });

    if (subject.completion)
      it('proposes values for an argument', async () => {
        const [prompt = '', name = '', value = '', proposal] = subject.completion ?? [];
        const { values } = await service.complete(id, { prompt }, { name, value });
        expect(values).toContain(proposal);
      });

    if (subject.long)
      it('stops a long call, and goes on', async () => {
        const [tool = '', args = {}] = subject.long ?? [];
        const running = Promise.withResolvers<void>();
        const options = { callId: 'long', onProgress: () => running.resolve() };
        const pending = expect(call(id, tool, args, options)).rejects.toMatchObject({
          code: 'cancelled',
        });
        await running.promise;
        expect(service.abortTool('long')).toBe(true);
        await pending;
        expect(await service.checkConnectivity(id)).toBe(true);
      });

    if (!subject.type)
      it('comes back by itself when its process is killed', async () => {
        const [leader] = (await service.diagnose(id)).processes;
        process.kill(leader?.pid ?? 0, 'SIGKILL');
        await vi.waitFor(() => expect(service.status(id).state).toBe('reconnecting'), patience);
        await vi.waitFor(() => expect(service.status(id).state).toBe('connected'), patience);
        const [name, args, answer] = subject.call;
        expect(JSON.stringify(await call(id, name, args))).toContain(answer.slice(0, 5));
        const now = (await service.diagnose(id)).processes[0]?.pid;
        expect(now).not.toBe(leader?.pid);
        await service.removeServer(id);
      });
  });
}

describe('server-everything', async () => {
  const script = await realServer(everything.name, everything.version);

  it.skipIf(!script)('shows progress, images, links and structured content', async () => {
    const record = await configure(everything, script ?? '');
    await service.setServer(record);
    const ratios: unknown[] = [];
    const onProgress = ({ ratio }: { ratio?: number }): unknown => ratios.push(ratio);
    await call(
      record.id,
      'trigger-long-running-operation',
      { duration: 0.4, steps: 2 },
      { onProgress },
    );
    expect(ratios).toEqual([0.5, 1]);
    const image = await call(record.id, 'get-tiny-image', {});
    expect(image.content).toContainEqual(
      expect.objectContaining({ type: 'image', mimeType: 'image/png' }),
    );
    const links = await call(record.id, 'get-resource-links', { count: 2 });
    expect(links.content.filter(({ type }) => type === 'resource_link')).toHaveLength(2);
    const weather = await call(record.id, 'get-structured-content', { location: 'New York' });
    expect(weather.structuredContent).toMatchObject({ temperature: expect.any(Number) });
    expect(weather.problem).toBeUndefined();
  });
});

async function configure({ type, args = [], env = {} }: Subject, script: string) {
  const warm = { NODE_COMPILE_CACHE: compiled, ...env };
  if (!type)
    return approved({ type: 'stdio', command: 'node', args: [script, ...args], env: warm });
  return approved({ type, baseUrl: await startHttp(script, type) });
}

/** Starts the server on a free port and waits until it says that it listens. */
async function startHttp(script: string, type: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [script, type], {
    env: { PATH: process.env.PATH, PORT: String(port), NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  for await (const line of createInterface({ input: child.stderr })) {
    if (/(listening|running) on port/i.test(line)) break;
  }
  return `http://127.0.0.1:${port}/${type === 'sse' ? 'sse' : 'mcp'}`;
}
