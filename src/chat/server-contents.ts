import type { CompletionTarget } from '#mcp/connection.ts';
import type { McpService } from '#mcp/mcp-service.ts';
import { limits } from '#shared/limits.ts';
import type { DiagnosisView, PromptView, ResourceView, TemplateView } from '#shared/server-api.ts';
import { truncate } from '#shared/text.ts';

const largestList = 4 * 1024 * 1024;

/** A list, and whether it was too long to be shown whole. */
export interface Listed<T> {
  entries: T[];
  truncated: boolean;
}

/** What servers offer besides tools, and what explains their state. Each use connects if need be. */
export class ServerContents {
  readonly #mcp: McpService;
  readonly #assertOwner: (owner: string, serverId: string) => void;

  /** `assertOwner` throws `server_not_found` unless the server is the owner's. */
  constructor(mcp: McpService, assertOwner: (owner: string, serverId: string) => void) {
    this.#mcp = mcp;
    this.#assertOwner = assertOwner;
  }

  async prompts(owner: string, id: string): Promise<Listed<PromptView>> {
    this.#assertOwner(owner, id);
    const prompts = await this.#mcp.listPrompts(id);
    return bounded(prompts.map((prompt) => ({ ...about(prompt), arguments: prompt.arguments })));
  }

  async resources(owner: string, id: string): Promise<Listed<ResourceView>> {
    this.#assertOwner(owner, id);
    const resources = await this.#mcp.listResources(id);
    return bounded(
      resources.map(({ uri, size, ...rest }) => ({
        uri,
        ...about(rest),
        ...(size !== undefined && { size }),
      })),
    );
  }

  async templates(owner: string, id: string): Promise<Listed<TemplateView>> {
    this.#assertOwner(owner, id);
    const templates = await this.#mcp.listResourceTemplates(id);
    return bounded(templates.map(({ uriTemplate, ...rest }) => ({ uriTemplate, ...about(rest) })));
  }

  async getPrompt(owner: string, id: string, name: string, args: Record<string, string>) {
    this.#assertOwner(owner, id);
    return this.#mcp.getPrompt(id, name, args);
  }

  async readResource(owner: string, id: string, uri: string) {
    this.#assertOwner(owner, id);
    const contents = await this.#mcp.getResource(id, uri);
    return { contents: contents.map(({ meta: _, ...rest }) => rest) };
  }

  async complete(
    owner: string,
    id: string,
    target: CompletionTarget,
    argument: { name: string; value: string },
    known?: Record<string, string>,
  ) {
    this.#assertOwner(owner, id);
    return this.#mcp.complete(id, target, argument, known);
  }

  async diagnose(owner: string, id: string): Promise<DiagnosisView> {
    this.#assertOwner(owner, id);
    return this.#mcp.diagnose(id);
  }
}

/** What is shown of an entry in a list; icons and the server's own notes are not. */
function about(entry: { name: string; title?: string; description?: string; mimeType?: string }) {
  const { name, title, description, mimeType } = entry;
  return {
    name,
    ...(title && { title }),
    ...(description && { description: truncate(description, limits.descriptionToModel) }),
    ...(mimeType && { mimeType }),
  };
}

function bounded<T extends object>(all: T[]): Listed<T> {
  let size = 0;
  const entries: T[] = [];
  for (const entry of all) {
    size += JSON.stringify(entry).length;
    if (size > largestList) return { entries, truncated: true };
    entries.push(entry);
  }
  return { entries, truncated: false };
}
