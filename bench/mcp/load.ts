/** How a contestant reaches the server. In memory only the legacy era exists. */
export type Transport = 'memory' | 'stdio' | 'http';
export type Era = 'legacy' | 'modern';

/** What one process measures: calls of one kind, or listings in so many pages. */
export type Load =
  | { kind: 'calls'; transport: Transport; era: Era; tool: ToolName }
  | { kind: 'lists'; pages: number };

/** The plain tool, and the one whose results have to fit an output schema. */
export type ToolName = 'echo' | 'measure';

/** How many calls are under way at once, as rows of the result. */
export const inFlight = [1, 64] as const;

/**
 * Calls that are measured. As many go before them: compiling takes tens of thousands of calls to
 * settle, and it would be most of what is measured. Over HTTP each call does so much that fewer do.
 */
export const callCount: Record<Transport, Record<(typeof inFlight)[number], number>> = {
  memory: { 1: 20_000, 64: 40_000 },
  stdio: { 1: 4_000, 64: 60_000 },
  http: { 1: 2_000, 64: 20_000 },
};

/** Tools of a server that is called: the two that are used stand among others. */
const usualTools = 25;
/** Tools of a server that is listed. */
export const manyTools = 1000;
/** Listings that are measured after the first. */
export const listCount = 20;

/** One call: made beforehand, because making texts of numbers costs as much as the calls do. */
export interface Call {
  id: string;
  arguments: { text: string; count: number };
  /** How the text of the answer ends. */
  ending: string;
}

/** Many more than are in flight, and used again and again. */
export const calls: readonly Call[] = Array.from({ length: 1000 }, (_, count) => ({
  id: `call-${count}`,
  arguments: { text: `call ${count}: the quick brown fox jumps over the lazy dog`, count },
  ending: `(${count})`,
}));

/** What the server answers, in the shape of `tools/call`. */
export function answerTo(tool: string, { text, count }: { text: string; count: number }) {
  const content = [{ type: 'text' as const, text: `${text} (${count})` }];
  if (tool !== 'measure') return { content };
  const structuredContent = { text, count, ratio: 0.5, tags: ['quick', 'brown', 'lazy'] };
  return { content, structuredContent };
}

/** Throws unless a result is the answer to the call. */
export function assertAnswer(result: unknown, { id, ending }: Call): void {
  const [part] = (result as { content: { text?: string }[] }).content;
  if (part?.text?.endsWith(ending)) return;
  throw new Error(`${id} was answered with ${JSON.stringify(result)}`);
}

const input = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'What to say back', 'x-mcp-header': 'Text' },
    count: { type: 'integer', minimum: 0, description: 'Said back as well' },
  },
  required: ['text', 'count'],
};

const output = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer', minimum: 0 },
    ratio: { type: 'number', minimum: 0, maximum: 1 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
  },
  required: ['text', 'count', 'ratio'],
  additionalProperties: false,
};

/** What a server that is called lists. */
export function callableTools(): object[] {
  const others = otherTools(usualTools - 2);
  const echo = { name: 'echo', description: 'Says it back.', inputSchema: input };
  const measure = { ...echo, name: 'measure', outputSchema: output };
  return [...others.slice(0, 12), echo, measure, ...others.slice(12)];
}

/** Tools of the size and shape that real servers have. */
export function otherTools(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `search_items_${index}`,
    title: `Search items (${index})`,
    description:
      `Searches collection ${index} for items that match all given conditions and returns them, the ` +
      'best match first. Use it when the user asks for items by their properties; to read one item ' +
      'in full use get_item with the identifier that this tool returns.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, description: 'Words that have to occur' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'At most' },
        sort: { type: 'string', enum: ['relevance', 'newest', 'oldest'], default: 'relevance' },
        labels: { type: 'array', items: { type: 'string' }, description: 'Labels to have' },
        range: {
          type: 'object',
          properties: {
            from: { type: 'string', format: 'date', description: 'First day' },
            to: { type: 'string', format: 'date', description: 'Last day' },
          },
          additionalProperties: false,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }));
}

/** The load as arguments of a process. */
export function toArguments(load: Load): string[] {
  if (load.kind === 'lists') return ['lists', String(load.pages)];
  return ['calls', load.transport, load.era, load.tool];
}

/** The load that arguments ask for. */
export function readLoad([kind, ...rest]: string[]): Load {
  if (kind === 'lists') return { kind, pages: Number(rest[0]) };
  const [transport, era, tool] = rest as [Transport, Era, ToolName];
  return { kind: 'calls', transport, era, tool };
}
