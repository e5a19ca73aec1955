import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import type { Tool, ToolAnnotations, ToolDefinition } from '#shared/vocabulary/tool.ts';

/** A tool that is a function of the host. */
export interface NativeTool extends ToolDefinition {
  title?: string;
  annotations?: ToolAnnotations;
  execute: Tool['execute'];
}

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

  /** Makes a function of the host a tool. Such tools are trusted. */
  register(native: NativeTool): void {
    const { annotations = {}, ...tool } = native;
    this.add({
      ...tool,
      kind: 'native',
      serverId: 'native',
      serverName: 'Cerise',
      toolName: native.name,
      annotations,
      trusted: true,
    });
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
