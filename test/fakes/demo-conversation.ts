import { expect } from 'vitest';
import { createDemoModel } from '#models/demo/model.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import type { ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import type { ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';

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
const all = [time, list, info, read, calculate, fetchPage, image, cite, slow, fail, large, echo];

interface Round {
  types: string[];
  thinking: string;
  text: string;
  calls: { toolName: string; arguments: JsonObject }[];
}

/** A conversation with the demo model: a tiny engine without anything else. */
export function conversation(tools: TestTool[] = all) {
  const model = createDemoModel({ pace: 0, now: () => new Date('2026-11-15T05:05:00Z') });
  const messages: ModelMessage[] = [];

  async function respond(
    given: TestTool[],
    purpose: 'answer' | 'title' = 'answer',
  ): Promise<Round> {
    const request = { purpose, system: '', messages, tools: given, parameters: {} };
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
      const round = await respond(rounds.length < limit ? tools : []);
      rounds.push(round);
      const calls = round.calls.map((call, index) => ({
        type: 'tool-call' as const,
        callId: `call_${index}`,
        ...call,
      }));
      const said: ModelPart[] = round.text === '' ? [] : [{ type: 'text', text: round.text }];
      messages.push({ role: 'assistant', parts: [...said, ...calls] });
      if (calls.length === 0) return rounds;
      const results = calls.map(({ callId, toolName, arguments: args }) => {
        const found = tools.find(({ name }) => name === toolName);
        return {
          callId,
          toolName,
          result: found?.run(args as Record<string, string>) ?? {
            ...text('no such tool'),
            isError: true,
          },
        };
      });
      messages.push({ role: 'tool', results });
    }
  }

  return { ask, respond, messages };
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
    .filter((type) => /-start$|tool-created|^error$/.test(type));
  return { types: blocks, thinking: said('thinking-delta'), text: said('text-delta'), calls };
}

/** The own names of the tools that a round called. */
export const namesOf = (round?: Round) =>
  round?.calls.map(({ toolName }) => toolName.split('__').at(-1));
