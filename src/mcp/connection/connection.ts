import { CeriseError, type ErrorCode } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { sentenceRefSchema } from '#shared/errors/sentence-ref-schema.ts';
import { type Origin, originsKey, readOrigins } from '#shared/vocabulary/origin.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import {
  sentenceKey,
  type ToolProgress,
  type ToolResult,
  type TraceContext,
} from '#shared/vocabulary/tool.ts';
import type { CallLimits } from '../protocol/call-limits.ts';
import type { CallWay } from '../protocol/call-way.ts';
import type { ClientRequest, McpClient } from '../protocol/client.ts';
import { type Greeting, skillsExtension } from '../protocol/greeting.ts';
import { RpcError } from '../protocol/messages.ts';
import type { Step, Wait } from '../protocol/round-trip.ts';
import type { Input } from '../protocol/rounds.ts';
import type { StopSignal } from '../protocol/stop.ts';
import { isEndOfTask } from '../protocol/tasks.ts';
import { mirroredHeaders } from '../results/mirrored-headers.ts';
import { collectPages, type ListKind } from '../results/pages.ts';
import { readCompletion } from '../results/read-completion.ts';
import { promptList, readPrompt } from '../results/read-prompts.ts';
import { readContents, resourceList, resourceTemplateList } from '../results/read-resources.ts';
import { readToolResult } from '../results/read-result.ts';
import { skillList } from '../results/read-skills.ts';
import { toolList } from '../results/read-tools.ts';
import type {
  Completion,
  GetPromptResult,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpSkill,
  McpTool,
  ResourceContents,
} from '../results/types.ts';
import type { Loaded } from './cached.ts';
import { classifyError, type Phase } from './classify-error.ts';

const quietMs = 2000;
/** After these nobody knows whether the server still knows us. */
const doubtful: ReadonlySet<ErrorCode> = new Set([
  'outcome_unknown',
  'connection_lost',
  'connection_refused',
  'http_error',
]);

/** One tool call on an open connection. */
export interface ConnectionCall {
  name: string;
  arguments: JsonObject;
  callId: string;
  /** The definition, for the headers it mirrors. */
  tool?: McpTool | undefined;
  limits: CallLimits;
  signal?: StopSignal;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
  trace?: TraceContext | undefined;
  origins?: (() => Promise<Origin[]>) | undefined;
  /** The answers that the next round of the call brings; absent: it is called for the first time. */
  input?: Input;
  /** Told how far the call comes. */
  way?: CallWay;
}

/** What an argument to be completed belongs to. */
export type CompletionTarget = { prompt: string } | { template: string };

/** An open connection to one server: what it offers, in our own words. Failures are CeriseErrors. */
export class Connection {
  readonly kind: ServerConfig['type'];
  readonly #client: McpClient;
  readonly #note: (text: string) => void;
  readonly #limits: Limits;
  #usedAt = Date.now();

  constructor(deps: {
    kind: ServerConfig['type'];
    client: McpClient;
    note: (text: string) => void;
    limits: Limits;
  }) {
    this.kind = deps.kind;
    this.#client = deps.client;
    this.#note = deps.note;
    this.#limits = deps.limits;
  }

  /** The name under which the tracker knows its process (stdio). */
  get processId(): string | undefined {
    return this.#client.processId;
  }

  get greeting(): Greeting {
    return this.#client.greeting;
  }

  get lateAnswers(): number {
    return this.#client.lateAnswers;
  }

  async listTools(): Promise<Loaded<McpTool[]>> {
    if (!this.#client.has('tools')) return { value: [] };
    const mirror = this.kind === 'streamableHttp' && this.greeting.agreement.era === 'modern';
    return this.#list(toolList({ mirror }), this.#limits.toolsPerServer);
  }

  async listPrompts(): Promise<Loaded<McpPrompt[]>> {
    if (!this.#client.has('prompts')) return { value: [] };
    return this.#list(promptList);
  }

  async listResources(): Promise<Loaded<McpResource[]>> {
    if (!this.#client.has('resources')) return { value: [] };
    return this.#list(resourceList);
  }

  async listResourceTemplates(): Promise<Loaded<McpResourceTemplate[]>> {
    if (!this.#client.has('resources')) return { value: [] };
    return this.#list(resourceTemplateList);
  }

  /** None of their files is read: that is what loading a skill does. */
  async listSkills(): Promise<Loaded<McpSkill[]>> {
    if (!this.#client.hasExtension(skillsExtension)) return { value: [] };
    return this.#list(skillList);
  }

  /** `callId` names the caller whom the server may ask something in the meantime. */
  async readResource(
    uri: string,
    limitsOfRead: CallLimits,
    callId?: string,
  ): Promise<Loaded<ResourceContents[]>> {
    const result = await this.#ask('resources/read', { uri }, limitsOfRead, callId);
    return readContents(result, this.#limits.storedResult, this.#note);
  }

  async getPrompt(
    name: string,
    args: Record<string, string>,
    limitsOfGet: CallLimits,
    callId?: string,
  ): Promise<GetPromptResult> {
    const params = { name, arguments: args };
    const result = await this.#ask('prompts/get', params, limitsOfGet, callId);
    return readPrompt(result, this.#limits.storedResult, this.#note);
  }

  /** Proposals for one argument; none if the server makes no proposals. */
  async complete(
    target: CompletionTarget,
    argument: { name: string; value: string },
    known: Record<string, string> = {},
  ): Promise<Completion> {
    if (!this.#client.has('completions')) return { values: [], hasMore: false };
    const ref: JsonObject =
      'prompt' in target
        ? { type: 'ref/prompt', name: target.prompt }
        : { type: 'ref/resource', uri: target.template };
    const params = {
      ref,
      argument,
      ...(Object.keys(known).length > 0 && { context: { arguments: known } }),
    };
    return readCompletion(await this.#ask('completion/complete', params));
  }

  /** Starts or ends news about one resource. */
  async subscribe(uri: string, wanted: boolean): Promise<void> {
    await this.#attempt('list', this.#client.subscribe(uri, wanted));
  }

  /**
   * Sends `tools/call` once. On expiry or abort the server is told to stop and the call fails as
   * `timed_out` or `cancelled`; a connection that dies in the meantime gives `outcome_unknown`.
   */
  async callTool(call: ConnectionCall): Promise<Step<ToolResult>> {
    const params: JsonObject = { name: call.name, arguments: call.arguments };
    if (call.tool?.taskSupport === 'required' && this.#client.makesTasks) params.task = {};
    if (call.input) this.#assertSameEra(false);
    if (this.#wasQuiet()) await this.#greetAgain();
    try {
      const request = toRequest(call, call.origins && (await this.#originsMeta(call)));
      const step = await this.#client.callTool(params, request, call.input);
      this.#usedAt = Date.now();
      return 'wait' in step ? step : { result: this.#readResult(step.result) };
    } catch (error) {
      const failure = classifyError(error, 'call');
      if (doubtful.has(failure.code)) this.#usedAt = 0;
      throw failure;
    }
  }

  /** What only a server in this process is told: others would learn what was read before. */
  async #originsMeta({ tool, origins }: ConnectionCall): Promise<JsonObject | undefined> {
    if (this.kind !== 'inMemory' || tool?.annotations.readOnlyHint || !origins) return undefined;
    const found = await origins();
    return found.length > 0 ? { [originsKey]: found as JsonObject[] } : undefined;
  }

  /** Only a server in this process is believed in what it says of its sources and its sentences. */
  #readResult(answer: JsonObject): ToolResult {
    const result = readToolResult(answer, this.#limits.storedResult);
    const { _meta: meta } = answer;
    if (this.kind !== 'inMemory' || !isJsonObject(meta)) return result;
    const origins = readOrigins(meta[originsKey]);
    const errorSaid = result.isError && sentenceRefSchema.safeParse(meta[sentenceKey]).data;
    return { ...result, ...(origins.length > 0 && { origins }), ...(errorSaid && { errorSaid }) };
  }

  /** Waits for a task. A lost connection says nothing about it: it is `connection_lost` then. */
  async followTask(
    wait: Extract<Wait, { kind: 'task' }>,
    call: ConnectionCall,
    task?: JsonObject,
  ): Promise<ToolResult> {
    this.#assertSameEra(wait.legacy);
    try {
      const result = await this.#client.followTask(wait, toRequest(call), task);
      this.#usedAt = Date.now();
      return this.#readResult(result);
    } catch (error) {
      if (isEndOfTask(error)) call.way?.end();
      const failure = classifyError(error, error instanceof RpcError ? 'call' : 'list');
      if (doubtful.has(failure.code)) this.#usedAt = 0;
      throw failure;
    }
  }

  /** Throws CeriseError unless the server answers; an error answer is an answer. */
  async ping(): Promise<void> {
    try {
      await this.#client.ping();
      this.#usedAt = Date.now();
    } catch (error) {
      const failure = classifyError(error, 'list');
      if (failure.code !== 'protocol_error') throw failure;
    }
  }

  /** Ends the connection and, for stdio, the process. Never throws. */
  async close(): Promise<void> {
    await this.#client.close();
  }

  /**
   * A session over HTTP may have ended without our notice. A call is sent once only, so a session
   * that was quiet is tried with something harmless first.
   */
  #wasQuiet(): boolean {
    const session = this.kind === 'streamableHttp' && this.greeting.agreement.era === 'legacy';
    // A clock that was set, or a machine that slept, makes it quiet in either direction.
    return session && Math.abs(Date.now() - this.#usedAt) > quietMs;
  }

  /** An old server would take the next round of a call for a new call, and the other way round. */
  #assertSameEra(legacy: boolean): void {
    if ((this.greeting.agreement.era === 'legacy') === legacy) return;
    throw new CeriseError(
      'outcome_unknown',
      say(
        'version-changed',
      )`The server now uses a different protocol version than when this call started.`,
      { hint: say('check-tool-before')`Check what the tool did before you repeat the call.` },
    );
  }

  /** A connection that turns out to be over then refuses the call without having sent it. */
  async #greetAgain(): Promise<void> {
    await this.ping().catch((error: unknown) =>
      this.#note(`repeating the handshake: ${String(error)}`),
    );
  }

  /** A server that declares more than it knows has an empty list of it. */
  async #list<T>(
    kind: ListKind<T>,
    most: number = this.#limits.entriesPerList,
  ): Promise<Loaded<T[]>> {
    try {
      return await collectPages(
        (cursor) => this.#ask(kind.method, cursor === undefined ? {} : { cursor }),
        kind,
        { most, note: this.#note },
      );
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
      this.#note(`${kind.method} isn't supported by the server.`);
      return { value: [] };
    }
  }

  async #ask(
    method: string,
    params: JsonObject,
    limits: CallLimits = { total: this.#limits.initialiseTime },
    callId?: string,
  ): Promise<JsonObject> {
    const options = { limits, repeatable: true, ...(callId !== undefined && { callId }) };
    const answer = this.#client.request(method, params, options);
    const result = await this.#attempt(method === 'resources/read' ? 'read' : 'list', answer);
    this.#usedAt = Date.now();
    return result;
  }

  async #attempt<T>(phase: Phase, promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      throw classifyError(error, phase);
    }
  }
}

function isUnknownMethod(error: unknown): boolean {
  if (!(error instanceof CeriseError) || error.code !== 'protocol_error') return false;
  return (error.details as { code?: number } | undefined)?.code === rpcCode.methodNotFound;
}

function toRequest(call: ConnectionCall, meta?: JsonObject): ClientRequest {
  const { limits: time, callId, signal, onProgress, trace, tool, way } = call;
  const headers = tool?.mirrored ? mirroredHeaders(tool, call.arguments) : undefined;
  return { limits: time, callId, signal, onProgress, headers, trace, meta, way };
}
