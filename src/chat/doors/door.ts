import { randomUUIDv7 } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isShowcase } from '#mcp/builtin/builtin-servers.ts';
import type { Completion, GetPromptResult, McpTool } from '#mcp/results/types.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { allowsServer, allowsTool, allowsWhole } from '#shared/vocabulary/server-limit.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type { Tool, ToolProgress, TraceContext } from '#shared/vocabulary/tool.ts';
import {
  fetchMcpTools,
  loadTools,
  nameTools,
  type ServerTool,
  withoutProblems,
} from '#tools/registry/tools-loader.ts';
import { deferralDefinitions, deferralNames } from '#tools/search/deferred-tools.ts';
import { searchTools } from '#tools/search/search-tools.ts';
import type { CallAsker } from '../calls/asker.ts';
import { isFull, type Visitor } from '../people/visitor.ts';
import { callFor, withinOf } from '../servers/key-rights.ts';
import type { DoorDeps } from './door-deps.ts';
import { noResource, ownUri, sharedUri } from './names.ts';
import { type ListedPrompt, listPrompts, listResources, listTemplates } from './lists.ts';

/** How long a server may take to say what it is when somebody comes to it. */
const greetingMs = 2000;
/** Between two looks at a call that another host runs. */
const pollMs = 250;

/** The two tools that stand for all others where a program asks for that. */
export const searchNames = deferralNames;
export const searchDefinitions = deferralDefinitions;

/** Whoever makes a request through a door. */
export interface DoorCaller {
  asker: CallAsker;
  onProgress(progress: ToolProgress): void;
  /** A person has to decide on the call first. */
  onWaiting(call: ToolCallView): void;
  /** Aborted when the program calls the call off. */
  signal: AbortSignal;
  /** The trace that it belongs to. */
  trace?: TraceContext | undefined;
}

/** A tool under the name by which it is called through a door. */
export interface DoorTool extends ServerTool {
  name: string;
}

/** What one visitor may use: of all servers, or of one. Keys that are limited see nothing else. */
export class Door {
  readonly visitor: Visitor;
  /** The one server it leads to; undefined: all. */
  readonly serverId: string | undefined;
  readonly #deps: DoorDeps;

  constructor(deps: DoorDeps, visitor: Visitor, serverId?: string) {
    this.#deps = deps;
    this.visitor = visitor;
    this.serverId = serverId;
  }

  get #within() {
    return withinOf(this.visitor);
  }

  get #selection() {
    const { serverId } = this;
    return {
      enabled: true,
      ...(serverId === undefined
        ? { mode: 'auto' as const, withoutShowcase: true }
        : { mode: 'manual' as const, selectedServers: [serverId] }),
      ...(this.#within && { within: [...this.#within] }),
    };
  }

  /** The servers behind it. What only shows what Cerise can do has to be asked for by its name. */
  servers(): ServerRecord[] {
    const { serverId } = this;
    return this.#deps.loaded
      .visible(this.visitor.owner)
      .filter(
        ({ id, attachedTo, config }) =>
          !attachedTo &&
          allowsServer(this.#within, id) &&
          (serverId === undefined ? !config.disabled && !isShowcase(config) : id === serverId),
      );
  }

  /** Changes when servers come, change or go. */
  get fingerprint(): string {
    return JSON.stringify(this.servers().map(({ id, updatedAt }) => [id, updatedAt]));
  }

  /** Whether the visitor may read the log of a server. */
  manages(server: ServerRecord): boolean {
    const { owner, role } = this.visitor;
    return isFull(this.visitor) && (server.owner === owner || role === 'admin');
  }

  get name(): string {
    const [server] = this.serverId === undefined ? [] : this.servers();
    return server?.config.name ?? 'cerise';
  }

  /** What it is called, and what its server says of itself and of what it can do, if it does so soon. */
  async about(): Promise<{
    name: string;
    title: string;
    instructions?: string;
    capabilities?: JsonObject;
  }> {
    const [server] = this.serverId === undefined ? [] : this.servers();
    if (!server) return { name: this.name, title: 'Cerise' };
    const { name } = this;
    const connecting = this.#deps.mcp.initClient(server.id).catch(() => undefined);
    const connection = await Promise.race([connecting, setTimeout(greetingMs, undefined)]);
    const { instructions, capabilities } = connection?.greeting ?? {};
    return {
      name,
      title: name,
      ...(instructions && { instructions }),
      ...(capabilities && { capabilities }),
    };
  }

  /** In the same order each time. Tools that may not be used right now are left out. */
  async tools(isKnownEnough = false): Promise<DoorTool[]> {
    const { mcp, pins } = this.#deps;
    const { owner } = this.visitor;
    const { serverId } = this;
    const { tools: found } = await fetchMcpTools(mcp, this.#selection, {
      owner,
      isKnownEnough,
    });
    const { usable } = withoutProblems((await pins.check()(found)).usable);
    const offered = usable.filter(({ tool }) => isForModels(tool));
    if (serverId !== undefined)
      return offered.map((entry) => ({ ...entry, name: entry.tool.name }));
    return [...nameTools(offered)].map(([name, entry]) => ({ ...entry, name }));
  }

  /** The definitions of the tools that fit some words, as text for a model. */
  async search(query: string, limit: number): Promise<string> {
    const { mcp, pins } = this.#deps;
    const { tools } = await loadTools(mcp, this.#selection, {
      owner: this.visitor.owner,
      pins: pins.check(),
    });
    const isAlone = this.serverId !== undefined;
    const named = isAlone ? tools.map((tool) => ({ ...tool, name: tool.toolName })) : tools;
    return searchTools(named, query, limit);
  }

  /** One tool, ready to run. Throws `tool_not_found`. */
  async tool(name: string): Promise<Tool> {
    const { owner } = this.visitor;
    const { servers } = this.#deps;
    if (this.serverId !== undefined && !allowsTool(this.#within, this.serverId, name))
      throw noTool(name);
    if (this.serverId !== undefined) return servers.tool(owner, this.serverId, name);
    const isIt = (tool: DoorTool) => tool.name === name;
    const found = (await this.tools(true)).find(isIt) ?? (await this.tools()).find(isIt);
    if (!found) throw noTool(name);
    return servers.tool(owner, found.server.id, found.tool.name);
  }

  /** Calls a tool once and resolves when the call is over, whoever decides on it and whichever host runs it. */
  async call(
    tool: Tool,
    args: JsonObject,
    caller: DoorCaller,
    toolCallId: string,
  ): Promise<ToolCallView> {
    const { asker } = caller;
    const { credential, owner } = this.visitor;
    const isVouchedFor = credential.kind === 'key' && credential.trusted === true;
    const call = await this.#deps.callDirectly(owner, tool, args, {
      id: toolCallId,
      foreign: !isVouchedFor,
      asker,
      onProgress: (progress) => caller.onProgress(progress),
      calledOff: caller.signal,
      trace: caller.trace,
    });
    if (call.endedAt !== undefined) return call;
    caller.onWaiting(call);
    return this.follow(toolCallId);
  }

  /** A call of the visitor. Throws `tool_call_not_found`, also for one that their key may not see. */
  async find(toolCallId: string): Promise<ToolCallView> {
    return callFor(this.visitor, await this.#deps.getCall(this.visitor.owner, toolCallId));
  }

  /** Resolves when a call is over. Rejects with the reason of `signal`. */
  async follow(toolCallId: string, signal?: AbortSignal): Promise<ToolCallView> {
    for (;;) {
      const call = await this.find(toolCallId);
      if (call.endedAt !== undefined) return call;
      signal?.throwIfAborted();
      await this.#soon(toolCallId, signal);
    }
  }

  /** Resolves when a call that runs here is over, or after a while. */
  async #soon(toolCallId: string, signal: AbortSignal | undefined): Promise<void> {
    const over = this.#deps.running.find(toolCallId)?.over;
    const until = AbortSignal.any([over, signal].filter((each) => each !== undefined));
    await setTimeout(pollMs, undefined, { signal: until }).catch(() => undefined);
  }

  /** Ends a call that waits or runs. */
  async abort(toolCallId: string): Promise<void> {
    await this.#deps.abortCall(this.visitor.owner, toolCallId);
  }

  /** Those of servers that the visitor may use whole; a server that fails hides no other. */
  async prompts(): Promise<Map<string, ListedPrompt>> {
    return listPrompts(this.#deps.mcp, this.#whole(), this.serverId !== undefined);
  }

  async prompt(
    name: string,
    args: Record<string, string>,
    caller: Pick<DoorCaller, 'asker'>,
    signal: AbortSignal,
  ): Promise<GetPromptResult & { serverId: string }> {
    const found = (await this.prompts()).get(name);
    if (!found) throw noPrompt(name);
    const { serverId } = found;
    const result = await this.#during(caller, signal, (callId) =>
      this.#deps.mcp.ask(serverId, (connection, limits) =>
        connection.getPrompt(found.prompt.name, args, limits, callId),
      ),
    );
    return { ...result, serverId };
  }

  async resources() {
    return listResources(this.#deps.mcp, this.#whole(), (id, uri) => this.shown(id, uri));
  }

  async templates() {
    return listTemplates(this.#deps.mcp, this.#whole(), (id, uri) => this.shown(id, uri));
  }

  async read(uri: string, caller: Pick<DoorCaller, 'asker'>, signal: AbortSignal) {
    const own = this.#own(uri);
    const read = await this.#during(caller, signal, (callId) =>
      this.#deps.mcp.ask(own.serverId, (connection, limits) =>
        connection.readResource(own.uri, limits, callId),
      ),
    );
    const contents = read.value.map(({ meta, ...rest }) => ({
      ...rest,
      uri: this.shown(own.serverId, rest.uri),
      ...(meta && { _meta: meta }),
    }));
    const { ttlMs } = read;
    return { contents, ...(ttlMs !== undefined && { ttlMs }) };
  }

  async complete(
    target: { prompt: string } | { template: string },
    argument: { name: string; value: string },
    known: Record<string, string>,
  ): Promise<Completion> {
    const { mcp } = this.#deps;
    if ('template' in target) {
      const { serverId, uri } = this.#own(target.template);
      return mcp.complete(serverId, { template: uri }, argument, known);
    }
    const found = (await this.prompts()).get(target.prompt);
    if (!found) throw noPrompt(target.prompt);
    return mcp.complete(found.serverId, { prompt: found.prompt.name }, argument, known);
  }

  /** Calls back when a resource changes until the result is called. */
  async subscribe(uri: string, onChange: () => void): Promise<() => Promise<void>> {
    const own = this.#own(uri);
    return this.#deps.mcp.subscribeResource(own.serverId, own.uri, onChange);
  }

  /** The address under which a resource of a server is read through this door. */
  shown(serverId: string, uri: string): string {
    return this.serverId === undefined ? sharedUri(serverId, uri) : uri;
  }

  #own(uri: string): { serverId: string; uri: string } {
    const own = this.serverId === undefined ? ownUri(uri) : { serverId: this.serverId, uri };
    if (this.#whole().some(({ id }) => id === own.serverId)) return own;
    throw noResource();
  }

  #whole(): ServerRecord[] {
    return this.servers().filter(({ id }) => allowsWhole(this.#within, id));
  }

  /** What a server asks in the meantime is asked of the caller. */
  async #during<T>(
    { asker }: Pick<DoorCaller, 'asker'>,
    signal: AbortSignal,
    work: (callId: string) => Promise<T>,
  ): Promise<T> {
    const { running } = this.#deps;
    const callId = randomUUIDv7();
    running.start(callId, [signal], { owner: this.visitor.owner, asker, isUnrecorded: true });
    try {
      return await work(callId);
    } finally {
      running.end(callId);
    }
  }
}

/** Tools that only the pages of a server may call are for nobody else (MCP Apps). */
function isForModels({ meta }: McpTool): boolean {
  const { ui } = (meta ?? {}) as { ui?: { visibility?: unknown } };
  return !Array.isArray(ui?.visibility) || ui.visibility.includes('model');
}

function noTool(name: string): CeriseError {
  return new CeriseError(
    'tool_not_found',
    say('no-such-tool')`There is no tool named ${truncate(name, 100)}.`,
  );
}

function noPrompt(name: string): CeriseError {
  return new CeriseError(
    'not_found',
    say('no-prompt')`There is no prompt named ${truncate(name, 100)}.`,
  );
}
