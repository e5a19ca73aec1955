import { errorInfo, CeriseError, type ErrorInfo } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import type { Tool, ToolDefinition } from '#shared/vocabulary/tool.ts';
import { searchTools } from './search-tools.ts';

/** Names that no other tool of a request may have while tools are deferred. */
export const deferralNames = { search: 'search_tools', call: 'call_tool' } as const;

export interface DeferOptions {
  /** What request and answer may have together; unknown: 128,000. */
  contextTokens?: number;
  /** The part of the context that definitions may take. */
  share?: number;
  /** Tools that are offered in any case, by the name a model sees. */
  always?: readonly string[];
  /** `auto` judges by size. A topic that was once deferred should stay so: `always`. */
  mode?: 'auto' | 'always' | 'never';
}

/** A call as the model made it. Arguments are null where it wrote no JSON object. */
export interface ModelCall {
  toolName: string;
  arguments: JsonObject | null;
}

/** The tool that is really meant, or what is wrong with the call. */
export type ResolvedCall =
  | { tool: Tool; arguments: JsonObject | null }
  | { problem: ErrorInfo; tool?: undefined };

export interface DeferredTools {
  deferred: boolean;
  /** What a request carries. While tools are deferred, the same bytes whatever servers do. */
  offered: Tool[];
  /** Finds the real tool behind a call, so that policy, approval and limits judge that one. */
  resolveDeferred: (call: ModelCall) => ResolvedCall;
}

const unknownContext = 128_000;
const usualShare = 0.1;
const bytesPerToken = 4;

/**
 * Offers the tools themselves, or, if their definitions take too much of the context, two tools to find
 * and to call them. Native tools and chosen ones are offered in both cases.
 */
export function deferTools(tools: readonly Tool[], options: DeferOptions = {}): DeferredTools {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (!mustDefer(tools, options)) {
    return {
      deferred: false,
      offered: [...tools],
      resolveDeferred: (call) => direct(call, byName),
    };
  }
  const always = new Set(options.always);
  const present = tools
    .filter(({ name, kind }) => kind === 'native' || always.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const hidden = tools.filter((tool) => !present.includes(tool));
  const offered = [searchTool(hidden), callTool(), ...present];
  const all = new Map([...byName, ...offered.map((tool): [string, Tool] => [tool.name, tool])]);
  return {
    deferred: true,
    offered,
    resolveDeferred: (call) =>
      call.toolName === deferralNames.call ? unwrap(call, byName) : direct(call, all),
  };
}

/** How many tokens definitions take, about. */
export function estimateTokens(tools: readonly ToolDefinition[]): number {
  const bytes = tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + Buffer.byteLength(JSON.stringify({ name, description, inputSchema })),
    0,
  );
  return Math.ceil(bytes / bytesPerToken);
}

/**
 * The history as a model that is offered `call_tool` made it: calls of tools it is not offered by name
 * are calls of `call_tool`. Pure.
 */
export function deferHistory(
  messages: readonly ModelMessage[],
  offered: readonly ToolDefinition[],
): ModelMessage[] {
  const names = new Set(offered.map(({ name }) => name));
  const isHidden = (toolName: string): boolean => !names.has(toolName);
  return messages.map((message): ModelMessage => {
    if (message.role !== 'tool')
      return { ...message, parts: message.parts.map((part) => wrapCall(part, isHidden)) };
    const results = message.results.map((each) =>
      isHidden(each.toolName) ? { ...each, toolName: deferralNames.call } : each,
    );
    return { ...message, results };
  });
}

function wrapCall(part: ModelPart, isHidden: (toolName: string) => boolean): ModelPart {
  if (part.type !== 'tool-call' || !isHidden(part.toolName)) return part;
  const { toolName: name, arguments: args } = part;
  return { ...part, toolName: deferralNames.call, arguments: { name, arguments: args } };
}

function mustDefer(tools: readonly Tool[], options: DeferOptions): boolean {
  const { mode = 'auto', contextTokens = unknownContext, share = usualShare } = options;
  if (mode !== 'auto') return mode === 'always';
  return estimateTokens(tools) > contextTokens * share;
}

function direct({ toolName, arguments: args }: ModelCall, tools: Map<string, Tool>): ResolvedCall {
  const tool = tools.get(toolName);
  return tool ? { tool, arguments: args } : { problem: unknownTool(toolName, tools) };
}

function unwrap(call: ModelCall, tools: Map<string, Tool>): ResolvedCall {
  if (!call.arguments)
    return { problem: misuse(say('arguments-no-object')`The arguments must be a JSON object.`) };
  const { name, arguments: given, ...rest } = call.arguments;
  if (typeof name !== 'string')
    return { problem: misuse(say('tool-name-missing')`The tool name is missing.`) };
  if (given === undefined && Object.keys(rest).length > 0)
    return {
      problem: misuse(
        say('arguments-place')`Put the arguments for ${truncate(name, 100)} in "arguments".`,
      ),
    };
  return direct({ toolName: name, arguments: toArguments(given) }, tools);
}

/** Some models write the inner arguments as a string of JSON; a call without any has none. */
function toArguments(given: unknown): JsonObject | null {
  if (given === undefined || given === null) return {};
  const value = typeof given === 'string' ? parseJson(given) : given;
  return isJsonObject(value) ? value : null;
}

function misuse(message: Words): ErrorInfo {
  const hint = say('call-with')`Call ${deferralNames.call} with {"name": "…", "arguments": {…}}.`;
  return errorInfo('invalid_arguments', message, { hint });
}

function unknownTool(name: string, tools: Map<string, Tool>): ErrorInfo {
  const nearest = nearestNames(name, [...tools.keys()]);
  return errorInfo(
    'tool_not_found',
    say('no-such-tool')`There is no tool named ${truncate(name, 100)}.`,
    {
      hint:
        nearest.length > 0
          ? say('did-you-mean')`Did you mean ${nearest.join(', ')}?`
          : say('no-tools')`No tools are available.`,
    },
  );
}

/** The two tools that stand for all others, for callers that are no models of ours. */
export function deferralDefinitions(): ToolDefinition[] {
  return [searchDefinition, callDefinition];
}

function nativeTool(definition: ToolDefinition, execute: Tool['execute']): Tool {
  return {
    ...definition,
    kind: 'native',
    serverId: 'native',
    serverName: 'Cerise',
    toolName: definition.name,
    annotations: { readOnlyHint: true, openWorldHint: false },
    trusted: true,
    execute,
  };
}

function searchTool(hidden: readonly Tool[]): Tool {
  return nativeTool(searchDefinition, ({ query, limit }) =>
    Promise.resolve({
      content: [
        {
          type: 'text',
          text: searchTools(hidden, typeof query === 'string' ? query : '', Number(limit ?? 5)),
        },
      ],
    }),
  );
}

/** It is only a name: `resolveDeferred` comes before every run, so that nothing runs unjudged. */
function callTool(): Tool {
  return nativeTool(callDefinition, () =>
    Promise.reject(
      new CeriseError('internal', 'A call of call_tool was not resolved to its tool.'),
    ),
  );
}

const searchDefinition: ToolDefinition = {
  name: deferralNames.search,
  description:
    'Finds tools. Many more tools are connected than are listed here: search before you say that something cannot be done. Say in plain words what should be done, in the language of the user or in English. Returns the definitions of the best matches; run one with call_tool. An empty query shows which servers there are.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What the tool should do, or its name.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 8,
        description: 'Maximum number of results. Default: 5.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
};

const callDefinition: ToolDefinition = {
  name: deferralNames.call,
  description:
    'Runs a tool that search_tools found. The arguments must follow the inputSchema of that tool.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The exact name returned by search_tools.' },
      arguments: { type: 'object', description: 'The arguments for that tool.' },
    },
    required: ['name', 'arguments'],
    additionalProperties: false,
  },
};
