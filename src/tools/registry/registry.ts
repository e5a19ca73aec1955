import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import type { Tool, ToolAnnotations, ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import { processJsonSchema } from '../formats/json-schema.ts';
import { type ITool, McpToolAdapter } from './mcp-tool-adapter.ts';

/** A tool that is a function of the host. */
export interface NativeTool extends ToolDefinition {
  title?: string;
  annotations?: ToolAnnotations;
  execute: Tool['execute'];
}

/** A tool that a program brings: a function of the host, or a tool as agents write it. */
export type HostTool =
  | (NativeTool & { parameters?: undefined })
  | (ITool & { inputSchema?: undefined });

/** Everything that can be registered: what a program brings, and tools as they were loaded. */
export type AnyTool = HostTool | (Tool & { parameters?: undefined });

/** The tools of one turn, native and MCP side by side; each runs by the route of its kind. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();

  constructor(tools: Iterable<Tool> = []) {
    for (const tool of tools) this.add(tool);
  }

  /** Throws `conflict` for a name that is taken. */
  add(tool: Tool): void {
    if (this.#tools.has(tool.name)) {
      throw new CeriseError(
        'conflict',
        say('tool-name-twice')`A tool named ${tool.name} already exists.`,
      );
    }
    this.#tools.set(tool.name, tool);
  }

  /**
   * Takes a function of the host, an `ITool` or a tool as it was loaded. Functions and tools of one's own are
   * trusted, those of MCP servers are not. Throws `invalid_request` for what cannot be run.
   */
  register(tool: AnyTool): void {
    this.add(toTool(tool));
  }

  find(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** Throws `tool_not_found` with the nearest names, so that a model can correct itself. */
  resolve(name: string): Tool {
    const tool = this.#tools.get(name);
    if (tool) return tool;
    const names = nearestNames(name, [...this.#tools.keys()]);
    throw new CeriseError(
      'tool_not_found',
      say('no-such-tool')`There is no tool named ${name.slice(0, 200)}.`,
      {
        hint:
          names.length > 0
            ? say('did-you-mean')`Did you mean ${names.join(', ')}?`
            : say('no-tools')`No tools are available.`,
      },
    );
  }

  /** What a model is told, in the order in which the tools were added. */
  definitions(): ToolDefinition[] {
    return this.tools().map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
  }

  tools(): Tool[] {
    return [...this.#tools.values()];
  }
}

function toTool(tool: AnyTool): Tool {
  const { name } = (tool ?? {}) as Partial<AnyTool>;
  if (typeof name !== 'string' || name === '' || typeof tool.execute !== 'function')
    throw new CeriseError(
      'invalid_request',
      say('tool-cannot-run')`A tool needs a name and an “execute” function.`,
    );
  if ('kind' in tool) return tool;
  const native = tool.parameters ? fromAgentTool(tool) : tool;
  const { annotations = {} } = native;
  // Types do not hold for programs in JavaScript.
  const { description = '', inputSchema = processJsonSchema({}) } = native as Partial<NativeTool>;
  const words = { description, inputSchema };
  const own = { kind: 'native', serverId: 'native', serverName: 'Cerise', trusted: true } as const;
  const server = tool instanceof McpToolAdapter ? serverOf(tool) : { ...own, toolName: name };
  const execute: Tool['execute'] = async (...call) => toResult(await native.execute(...call));
  return { ...native, ...words, execute, ...server, annotations };
}

/** What a function of a program gave; plain text is a result too. Types do not hold for those in JavaScript. */
function toResult(given: unknown): ToolResult {
  if (typeof given === 'string') return { content: [{ type: 'text', text: given }] };
  const isResult = typeof given === 'object' && given !== null && 'content' in given;
  if (isResult && Array.isArray(given.content)) return given as ToolResult;
  throw new CeriseError(
    'tool_failed',
    say('tool-gave-no-result')`The tool must return text or an object with a “content” list.`,
  );
}

/** The schema is called otherwise, and of the context it takes what a caller outside of a chat has. */
function fromAgentTool(tool: ITool): NativeTool {
  const { name, description, parameters, annotations } = tool;
  return {
    name,
    description,
    ...(annotations && { annotations }),
    inputSchema: processJsonSchema(parameters),
    execute: (args, context) =>
      tool.execute(args, {
        callId: context.callId,
        signal: context.signal,
        onProgress: (progress) => context.onProgress(progress),
      }),
  };
}

function serverOf({ serverId, serverName, toolName }: McpToolAdapter) {
  return { kind: 'mcp', serverId, serverName, toolName, trusted: false } as const;
}
