import { randomUUIDv7 } from 'node:crypto';
import type { McpTool } from '#mcp/results/types.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { Rehearsal, RehearsalPlan, Rehearse } from '#shared/api/server-api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { BlobPort } from '#shared/vocabulary/ports.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { listDistinctCalls } from '#store/calls/recorded-calls.ts';
import { getToolCall, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import { pinnedDefinitions } from '#store/calls/tool-pins.ts';
import type { Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { definitionOf } from '#tools/registry/pins.ts';
import { loadStored } from '../calls/stored-results.ts';
import type { Servers } from '../servers/servers.ts';
import { differentResults } from './differences.ts';

/** How many calls are made, and how long all of them may take. */
const mostCalls = 20;
const mostMs = 120_000;

interface RehearsalsDeps {
  store: Store;
  blobs: BlobPort;
  servers: Pick<Servers, 'get' | 'managed' | 'approvable'>;
  /** Runs a server beside the one that people use. */
  createService: () => McpService;
  now: () => number;
}

/**
 * Tries a server's new launch before it is approved: a separate instance repeats recorded calls that only read,
 * according to the approved definitions of their tools. A person has seen the command and the calls; nothing is stored.
 */
export class Rehearsals {
  readonly #deps: RehearsalsDeps;
  /** By the server. */
  readonly #running = new Map<string, McpService>();

  constructor(deps: RehearsalsDeps) {
    this.#deps = deps;
  }

  /** The calls that would be made, newest first. */
  async plan(owner: string, serverId: string): Promise<RehearsalPlan> {
    const record = this.#deps.servers.managed(owner, serverId);
    const { launchHash } = this.#deps.servers.get(owner, serverId);
    const before = await this.#approved(record);
    const found = await listDistinctCalls(this.#deps.store.db, owner, record.id);
    const reading = found.filter(({ toolName }) => isReading(before.get(toolName)));
    const calls: ToolCallRecord[] = [];
    for (const { id } of reading) {
      if (calls.length === mostCalls) break;
      const call = await getToolCall(this.#deps.store.db, owner, id);
      if (call?.result) calls.push(call);
    }
    return { launchHash, calls: calls.map(toView) };
  }

  /** Throws `launch_changed` if the server has changed since, `conflict` while it is being rehearsed. */
  async rehearse(
    owner: string,
    serverId: string,
    { launchHash, toolCallIds }: Rehearse,
  ): Promise<Rehearsal> {
    const { store, servers, createService, now } = this.#deps;
    const record = await servers.approvable(owner, serverId, launchHash);
    if (this.#running.has(record.id)) throw isRunning();
    const service = createService();
    this.#running.set(record.id, service);
    try {
      const before = await this.#approved(record);
      const calls = await this.#recorded(owner, record.id, toolCallIds.slice(0, mostCalls));
      const details = { launchHash, calls: calls.length };
      await insertAudit(
        store.db,
        { owner, action: 'server.rehearse', subject: record.id, details },
        now(),
      );
      const config = { ...record.config, disabled: false };
      await service.setServer({ ...record, config, approvedHash: launchHash });
      const tools = await service.listTools(record.id);
      const signal = AbortSignal.timeout(mostMs);
      const made: Rehearsal['calls'] = [];
      for (const call of calls)
        made.push(await this.#again(call, { service, before, tools, signal }));
      return { tools: changesOf(before, tools), calls: made };
    } finally {
      this.#running.delete(record.id);
      await service.close();
    }
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map((service) => service.close()));
  }

  async #recorded(owner: string, serverId: string, ids: string[]): Promise<ToolCallRecord[]> {
    const found = await Promise.all(ids.map((id) => getToolCall(this.#deps.store.db, owner, id)));
    return found.flatMap((call) =>
      call?.serverId === serverId && call.state === 'succeeded' ? call : [],
    );
  }

  async #again(
    call: ToolCallRecord,
    to: {
      service: McpService;
      before: ReadonlyMap<string, JsonObject>;
      tools: readonly McpTool[];
      signal: AbortSignal;
    },
  ): Promise<Rehearsal['calls'][number]> {
    const { toolName: name, arguments: args, serverId, owner, result } = call;
    const view = toView(call);
    try {
      const tool = to.tools.find((each) => each.name === name);
      if (!tool) throw toolGone(name);
      if (!isReading(to.before.get(name)) || !isReading(definitionOf(tool))) throw notReading(name);
      const callId = randomUUIDv7();
      const request = { serverId, name, arguments: args, callId, signal: to.signal };
      const now = await to.service.callTool(request);
      const recorded = result && (await loadStored(result, this.#deps.blobs, owner));
      const differences = differentResults(comparable(recorded), comparable(now));
      return { ...view, outcome: differences.length === 0 ? 'same' : 'different', differences };
    } catch (error) {
      if (!(error instanceof CeriseError)) throw error;
      return { ...view, outcome: 'failed', differences: [], error: toErrorInfo(error) };
    }
  }

  /** The approved definitions of its tools. */
  #approved({ owner, id }: ServerRecord): Promise<Map<string, JsonObject>> {
    return pinnedDefinitions(this.#deps.store.db, owner, id);
  }
}

/** A result without the origins of its text, which do not come from the server. */
function comparable(result: ToolResult | undefined): unknown {
  const { content, structuredContent, isError = false } = result ?? { content: [] };
  return { content, structuredContent, isError };
}

function isReading(definition: JsonObject | undefined): boolean {
  return isJsonObject(definition?.annotations) && definition.annotations.readOnlyHint === true;
}

function changesOf(
  before: ReadonlyMap<string, JsonObject>,
  tools: readonly McpTool[],
): Rehearsal['tools'] {
  const now = new Map(tools.map((tool) => [tool.name, definitionOf(tool)]));
  const both = [...now.keys()].filter((name) => before.has(name));
  return {
    added: [...now.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !now.has(name)),
    changed: both.filter((name) => differentResults(before.get(name), now.get(name)).length > 0),
  };
}

function toView({ id: toolCallId, toolName, arguments: args }: ToolCallRecord) {
  return { toolCallId, toolName, arguments: args };
}

function isRunning(): CeriseError {
  return new CeriseError(
    'conflict',
    say('rehearsal-running')`This server is already being rehearsed.`,
  );
}

function toolGone(name: string): CeriseError {
  return new CeriseError(
    'tool_not_found',
    say('server-no-tool')`The server has no tool named ${name}.`,
  );
}

function notReading(name: string): CeriseError {
  return new CeriseError(
    'denied',
    say('rehearsal-writes')`${name} is no longer marked read-only, so it wasn't called.`,
  );
}
