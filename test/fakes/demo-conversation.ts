import { expect } from 'vitest';
import { createDemoModel } from '#models/demo/model.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import type { ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import type { Tool, ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import { deferHistory, deferTools } from '#tools/search/deferred-tools.ts';

interface TestTool extends ToolDefinition {
  run(args: Record<string, string>): ToolResult;
}

/** A tool result that is one text. */
export const text = (value: string): ToolResult => ({ content: [{ type: 'text', text: value }] });
/** A tool result with structured content. */
export const data = (structuredContent: JsonObject): ToolResult => ({
  ...text('see data'),
  structuredContent,
});

/** A tool of a test server; everything is required unless told otherwise. */
export function tool(
  name: string,
  properties: JsonObject,
  run: TestTool['run'],
  required = Object.keys(properties),
): TestTool {
  const inputSchema: JsonObject = { type: 'object', properties, required };
  return { name, description: '', inputSchema, run };
}

/** The schema of a text parameter. */
export const string: Json = { type: 'string' };
const files: Record<string, string> = {
  'welcome.md': '# Welcome\nHello.',
  'big.csv': 'a,b\n'.repeat(100),
};
/** A clock that always tells five past two. */
export const time = tool(
  'mcp__time__get_current_time',
  { timezone: string },
  ({ timezone }) => data({ timezone: timezone ?? '', datetime: '2026-11-15T14:05:00+09:00' }),
  [],
);
/** A listing of one folder and two files, without sizes. */
export const list = tool('mcp__filesystem__list_directory', { path: string }, () =>
  text('[DIR] notes\n[FILE] welcome.md\n[FILE] big.csv'),
);
const info = tool('mcp__filesystem__get_file_info', { path: string }, ({ path }) =>
  text(`size: ${files[path ?? '']?.length}\ntype: file`),
);
/** Reads the two files of the listing. */
export const read = tool('mcp__filesystem__read_text_file', { path: string }, ({ path }) =>
  text(files[path ?? ''] ?? ''),
);
const calculate = tool('mcp__calculator__calculate', { expression: string }, ({ expression }) =>
  data({ expression: expression ?? '', result: '84' }),
);
const fetchPage = tool('mcp__fetch__fetch_markdown', { url: string }, () =>
  text('# A page\n\nIts text.'),
);
const image = tool('mcp__demo__show_image', {}, () => ({
  content: [
    { type: 'image', data: 'AQID', mimeType: 'image/png' },
    { type: 'text', text: 'Two cherries.' },
  ],
}));
const cite = tool('mcp__demo__cite', { topic: string }, () =>
  data({ results: [{ title: 'T', url: 'https://example.com/', snippet: 's' }] }),
);
const slow = tool(
  'mcp__demo__slow_task',
  { seconds: { type: 'number' }, steps: { type: 'integer' } },
  () => text('Done.'),
);
/** Fails with the given sentence. */
export const fail = tool('mcp__demo__fail', { message: string }, ({ message }) => ({
  ...text(message ?? ''),
  isError: true,
}));
const large = tool('mcp__demo__large_result', { kilobytes: { type: 'integer' } }, () =>
  text('x\n'.repeat(1000)),
);
/** Answers with the message it was given. */
export const echo = tool('mcp__demo__echo', { message: string }, ({ message }) =>
  text(message ?? ''),
);
/** Asks for a form, which is filled in at once. */
export const askForm = tool(
  'mcp__demo__ask_form',
  { language: string },
  () => text('You answered: Ann.'),
  [],
);
/** Has a model asked, which answers at once. */
export const askModel = tool('mcp__demo__ask_model', { question: string }, ({ question }) =>
  text(`A model answered: ${question}`),
);
/** What most tests have. */
export const all = [
  time,
  list,
  info,
  read,
  calculate,
  fetchPage,
  image,
  cite,
  slow,
  fail,
  large,
  echo,
];

interface Round {
  types: string[];
  images: string[];
  thinking: string;
  text: string;
  calls: { toolName: string; arguments: JsonObject }[];
}

/**
 * A conversation with the demo model: a tiny engine without anything else. `deferred` offers a search for the
 * tools in their place, as the host does where they are many.
 */
export function conversation(tools: TestTool[] = all, { deferred = false } = {}) {
  const mode = deferred ? 'always' : 'never';
  const { offered, resolveDeferred } = deferTools(tools.map(toTool), { mode });
  const model = createDemoModel({ pace: 0, now: () => new Date('2026-11-15T05:05:00Z') });
  const messages: ModelMessage[] = [];

  async function respond(
    given: ToolDefinition[],
    purpose: 'answer' | 'title' = 'answer',
  ): Promise<Round> {
    const history = deferred ? deferHistory(messages, offered) : messages;
    const request = { purpose, system: '', messages: history, tools: given, parameters: {} };
    const chunks: Chunk[] = [];
    for await (const batch of model.stream(request, new AbortController().signal)) {
      expect(batch.length).toBeGreaterThan(0);
      chunks.push(...batch);
    }
    expect(chunks[0]).toEqual({ type: 'response-created' });
    expect(['response-complete', 'error']).toContain(chunks.at(-1)?.type);
    return toRound(chunks);
  }

  async function ask(question: string, limit = 10): Promise<Round[]> {
    messages.push({ role: 'user', parts: [{ type: 'text', text: question }] });
    const rounds: Round[] = [];
    for (;;) {
      const round = await respond(rounds.length < limit ? offered : []);
      rounds.push(round);
      const calls = round.calls.map((call, index) => {
        const { tool: found, ...rest } = resolveDeferred(call);
        const input = ('arguments' in rest && rest.arguments) || call.arguments;
        const real = { toolName: found?.name ?? call.toolName, arguments: input };
        return { type: 'tool-call' as const, callId: `call_${index}`, ...real };
      });
      const said: ModelPart[] = round.text === '' ? [] : [{ type: 'text', text: round.text }];
      messages.push({ role: 'assistant', parts: [...said, ...calls] });
      if (calls.length === 0) return rounds;
      const results = calls.map(async ({ callId, toolName, arguments: args }) => {
        const found = resolveDeferred({ toolName, arguments: args }).tool;
        const context = { callId, signal: AbortSignal.timeout(5000), onProgress: () => undefined };
        const missing = { ...text('no such tool'), isError: true };
        return { callId, toolName, result: (await found?.execute(args, context)) ?? missing };
      });
      messages.push({ role: 'tool', results: await Promise.all(results) });
    }
  }

  return { ask, respond, messages };
}

function toTool(made: TestTool): Tool {
  const { name, description, inputSchema } = made;
  const [, serverName = '', toolName = ''] = /(\w+)__(\w+)$/.exec(name) ?? [];
  return {
    name,
    description,
    inputSchema,
    kind: 'mcp',
    serverId: serverName,
    serverName,
    toolName,
    annotations: {},
    trusted: true,
    execute: async (args) => made.run(args as Record<string, string>),
  };
}

function toRound(chunks: Chunk[]): Round {
  const said = (type: 'text-delta' | 'thinking-delta') =>
    chunks.map((chunk) => (chunk.type === type ? chunk.text : '')).join('');
  const calls = chunks.flatMap((chunk) =>
    chunk.type === 'tool-pending' && chunk.arguments
      ? [{ toolName: chunk.toolName, arguments: chunk.arguments }]
      : [],
  );
  const blocks = chunks
    .map(({ type }) => type)
    .filter((type) => /-start$|(?:tool|image)-created|^error$/.test(type));
  const images = chunks.flatMap((chunk) => (chunk.type === 'image-complete' ? [chunk.data] : []));
  return {
    types: blocks,
    images,
    thinking: said('thinking-delta'),
    text: said('text-delta'),
    calls,
  };
}

/** The own names of the tools that a round called. */
export const namesOf = (round?: Round) =>
  round?.calls.map(({ toolName }) => toolName.split('__').at(-1));
