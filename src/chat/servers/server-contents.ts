import { isUtf8 } from 'node:buffer';
import type { CompletionTarget } from '#mcp/connection/connection.ts';
import type { SkillContents } from '#mcp/skills/load-skill.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import type {
  DiagnosisView,
  PromptView,
  ResourceView,
  TemplateView,
} from '#shared/api/server-api.ts';
import type {
  ExportedTools,
  SkillContentsView,
  SkillView,
  ToolFormat,
} from '#shared/api/tools-api.ts';
import { say, sentenceRef, textOf } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import type { TurnSelection } from '#shared/vocabulary/message.ts';
import { loadVendorTools } from '#tools/registry/setup-mcp-tools.ts';
import type { ToolPins } from '../policy/policy-pins.ts';
import { toolVerdicts } from '../policy/policy-tool.ts';
import type { Policy } from '../policy/policy.ts';
import type { ServerSignIn } from './server-sign-in.ts';
import type { Servers } from './servers.ts';

const maxListChars = 4 * 1024 * 1024;
const maxDescriptionChars = 4 * 1024;

/** For a server that is connected, and yet cannot say what it offers. */
const failingHint = say(
  'next-error',
)`It's connected, but returned an error. Check its response and its log.`;

/** A list, and whether it was too long to be shown whole. */
export interface Listed<T> {
  entries: T[];
  truncated: boolean;
}

interface ServerContentsDeps {
  mcp: McpService;
  servers: Pick<Servers, 'get' | 'usable' | 'managed' | 'tools' | 'ready'>;
  policy: Policy;
  pins: ToolPins;
  signIn: Pick<ServerSignIn, 'authState'>;
}

/** What servers offer besides tools, and what explains their state. Each use connects if need be. */
export class ServerContents {
  readonly #deps: ServerContentsDeps;

  constructor(deps: ServerContentsDeps) {
    this.#deps = deps;
  }

  /** A server with what it may do unasked. */
  async server(owner: string, serverId: string): Promise<ServerView> {
    const record = this.#deps.servers.usable(owner, serverId);
    const unasked = await this.#deps.policy.unasked(owner, record);
    return { ...this.#deps.servers.get(owner, serverId), unasked };
  }

  /** The tools of a server, each with what becomes of its calls. */
  async tools(owner: string, serverId: string): Promise<ToolView[]> {
    const tools = await this.#deps.servers.tools(owner, serverId);
    const ready = await this.#deps.servers.ready(owner, serverId);
    const verdicts = await toolVerdicts(this.#deps.policy, owner, ready);
    return tools.map((tool) => {
      const verdict = verdicts.get(tool.name);
      return { ...tool, ...(verdict && { verdict }) };
    });
  }

  async prompts(owner: string, serverId: string): Promise<Listed<PromptView>> {
    const { id } = this.#deps.servers.usable(owner, serverId);
    const prompts = await this.#deps.mcp.listPrompts(id);
    return bounded(prompts.map((prompt) => ({ ...about(prompt), arguments: prompt.arguments })));
  }

  async resources(owner: string, serverId: string): Promise<Listed<ResourceView>> {
    const { id } = this.#deps.servers.usable(owner, serverId);
    const resources = await this.#deps.mcp.listResources(id);
    return bounded(
      resources.map(({ uri, size, ...rest }) => ({
        uri,
        ...about(rest),
        ...(size !== undefined && { size }),
      })),
    );
  }

  async templates(owner: string, serverId: string): Promise<Listed<TemplateView>> {
    const { id } = this.#deps.servers.usable(owner, serverId);
    const templates = await this.#deps.mcp.listResourceTemplates(id);
    return bounded(templates.map(({ uriTemplate, ...rest }) => ({ uriTemplate, ...about(rest) })));
  }

  async getPrompt(owner: string, serverId: string, name: string, args: Record<string, string>) {
    const { id } = this.#deps.servers.usable(owner, serverId);
    return this.#deps.mcp.getPrompt(id, name, args);
  }

  async readResource(owner: string, serverId: string, uri: string) {
    const { id } = this.#deps.servers.usable(owner, serverId);
    const contents = await this.#deps.mcp.getResource(id, uri);
    return { contents: contents.map(({ meta: _, ...rest }) => rest) };
  }

  async complete(
    owner: string,
    serverId: string,
    target: CompletionTarget,
    argument: { name: string; value: string },
    known?: Record<string, string>,
  ) {
    const { id } = this.#deps.servers.usable(owner, serverId);
    return this.#deps.mcp.complete(id, target, argument, known);
  }

  async skills(owner: string, serverId: string): Promise<Listed<SkillView>> {
    const { id } = this.#deps.servers.usable(owner, serverId);
    const skills = await this.#deps.mcp.listSkills(id);
    return bounded(
      skills.map(({ uri, name, description, files }) => ({
        uri,
        name,
        description: truncate(description, maxDescriptionChars),
        ...(files !== 'dynamic' && { files: files.map(({ digest: _, ...file }) => file) }),
      })),
    );
  }

  /** The instructions of a skill, or another file of it, if they are what the server listed. */
  async readSkill(owner: string, serverId: string, uri: string, file?: string) {
    const { id } = this.#deps.servers.usable(owner, serverId);
    const { mcp } = this.#deps;
    return skillView(await (file ? mcp.readSkillFile(id, uri, file) : mcp.loadSkill(id, uri)));
  }

  /** Calls back when the resource changes, until the result is called. */
  async watchResource(
    owner: string,
    serverId: string,
    uri: string,
    onChange: () => void,
  ): Promise<() => Promise<void>> {
    const { id } = this.#deps.servers.usable(owner, serverId);
    // A connection that is made for the subscription would count as a change.
    await this.#deps.mcp.initClient(id);
    return this.#deps.mcp.subscribeResource(id, uri, onChange);
  }

  /** The tools that conversations get, in a vendor's shape; and those that are missing. */
  async exportTools(
    owner: string,
    format: ToolFormat,
    selection: Partial<TurnSelection>,
  ): Promise<ExportedTools> {
    const { mcp, pins, servers } = this.#deps;
    for (const id of selection.selectedServers ?? []) servers.usable(owner, id);
    const options = { owner, pins: pins.check() };
    const found = await loadVendorTools(mcp, selection, format, options);
    const failed = found.failures.map(({ serverName, error }) => ({
      name: serverName,
      reason: error.message,
      ...(error.messageSaid && { reasonSaid: error.messageSaid }),
    }));
    return { tools: found.tools, omitted: [...found.left, ...failed] };
  }

  async diagnose(owner: string, serverId: string): Promise<DiagnosisView> {
    const record = this.#deps.servers.managed(owner, serverId);
    const unasked = await this.#deps.policy.unasked(owner, record);
    const auth = await this.#deps.signIn.authState(record);
    const { ping, tools } = await this.#deps.mcp.examine(record.id);
    const held = tools && (await this.#held(owner, record.id));
    const diagnosis = await this.#deps.mcp.diagnose(record.id, auth);
    const hasFailed = diagnosis.state === 'connected' && ping !== undefined && 'error' in ping;
    return {
      ...diagnosis,
      ...(ping && { ping }),
      ...(hasFailed && { hint: textOf(failingHint), hintSaid: sentenceRef(failingHint) }),
      ...(tools && held && { tools: { ...tools, ...held } }),
      unasked,
    };
  }

  /** The tools that the server has and nobody gets to use. */
  async #held(owner: string, id: string): Promise<{ changed: string[]; blocked: string[] }> {
    const tools = await this.tools(owner, id);
    const named = (list: ToolView[]) => list.map(({ name }) => name);
    return {
      changed: named(tools.filter(({ changed }) => changed)),
      blocked: named(
        tools.filter(({ enabled, verdict }) => !enabled || verdict?.action === 'deny'),
      ),
    };
  }
}

/** Text where the bytes are text. */
function skillView({ uri, mimeType, bytes, verified }: SkillContents): SkillContentsView {
  const about = { uri, ...(mimeType && { mimeType }), verified };
  return isUtf8(bytes)
    ? { ...about, text: bytes.toString() }
    : { ...about, blob: bytes.toString('base64') };
}

/** What is shown of an entry in a list; icons and the server's own notes are not. */
function about(entry: { name: string; title?: string; description?: string; mimeType?: string }) {
  const { name, title, description, mimeType } = entry;
  return {
    name,
    ...(title && { title }),
    ...(description && { description: truncate(description, maxDescriptionChars) }),
    ...(mimeType && { mimeType }),
  };
}

function bounded<T extends object>(all: T[]): Listed<T> {
  let size = 0;
  const entries: T[] = [];
  for (const entry of all) {
    size += JSON.stringify(entry).length;
    if (size > maxListChars) return { entries, truncated: true };
    entries.push(entry);
  }
  return { entries, truncated: false };
}
