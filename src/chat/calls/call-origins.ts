import type { McpService } from '#mcp/service/mcp-service.ts';
import type { Quote } from '#shared/api/api.ts';
import { originsFrom, mergeOrigins, newOrigin, type Origin } from '#shared/vocabulary/origin.ts';
import type { Tool, ToolOutcome } from '#shared/vocabulary/tool.ts';
import { findOrigins, noteOrigins } from '#store/calls/provenance.ts';
import { getToolCall, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import { getMessage } from '#store/conversations/messages.ts';
import type { Store } from '#store/database/store.ts';
import { originOfCall, originsIn, Taint } from '../policy/policy-taint.ts';
import type { Policy } from '../policy/policy.ts';
import type { LiveTopics } from '../topic/live-topics.ts';
import { isForeignCall, repeatedCall } from './repeated-call.ts';

type AnyTool = Tool | Pick<Tool, 'execute'>;
type PlacedCall = Pick<ToolCallRecord, 'topicId' | 'answerId'> &
  Partial<Pick<ToolCallRecord, 'owner' | 'callId'>>;

interface CallOriginsDeps {
  store: Store;
  live: Pick<LiveTopics, 'find'>;
  policy: Policy;
  mcp: Pick<McpService, 'servers'>;
  now: () => number;
}

/** Follows untrusted words through calls: those that go out with one, and those that come back. */
export class CallOrigins {
  readonly #deps: CallOriginsDeps;
  readonly #taint: Taint;

  constructor(deps: CallOriginsDeps) {
    this.#deps = deps;
    this.#taint = new Taint(deps.store, deps.live);
  }

  /**
   * Of the words that stand before a call. Outside of any topic its arguments are a person's own, unless it
   * repeats a call of a topic, or comes from a program.
   */
  async before(call: PlacedCall): Promise<Origin[]> {
    const { topicId, answerId, owner = '', callId = '' } = call;
    if (topicId !== undefined && answerId !== undefined) return this.#taint.of(topicId, answerId);
    if (topicId === undefined && isForeignCall(callId)) return [{ from: 'program' }];
    const repeated = repeatedCall(callId);
    if (topicId !== undefined || repeated === undefined) return [];
    const first = await getToolCall(this.#deps.store.db, owner, repeated);
    return first?.answerId === undefined ? unknown : this.#ofMessage(owner, first.answerId);
  }

  /**
   * Call it before a call is sent: a trusted server that may keep what it is given may keep untrusted
   * words from then on. Built-in servers note that themselves, by entity and by file.
   */
  async sending(record: ToolCallRecord, tool: AnyTool): Promise<void> {
    if (!isForeign(tool)) return;
    const { owner, serverId } = record;
    const { trusted, readOnly } = await this.#deps.policy.facts(owner, tool);
    if (!trusted || readOnly === true) return;
    const found = await this.before(record);
    if (found.length === 0) return;
    const holder = this.#find(serverId)?.owner ?? owner;
    // Where somebody else's server is shared, they are not told of whose conversation it was.
    const origins = holder === owner ? found : found.map(withoutTopic);
    const noted = { owner: holder, place: 'server' as const, keys: [serverId], origins };
    await this.#deps.store.transaction((tx) => noteOrigins(tx, { ...noted, at: this.#deps.now() }));
  }

  /** Where untrusted words in what came of a call are from; empty if there are none. */
  async received(record: ToolCallRecord, tool: AnyTool, outcome: ToolOutcome): Promise<Origin[]> {
    const { result, error } = outcome;
    if (!result && !error) return [];
    const own = result?.origins ?? [];
    const { trusted, openWorld } =
      'serverId' in tool ? await this.#deps.policy.facts(record.owner, tool) : strange;
    if (!trusted || openWorld === true) return mergeOrigins([originOfCall(record)], own);
    return isForeign(tool) ? mergeOrigins(own, await this.#keptBy(record)) : own;
  }

  /** Of the words that a person took over into a message, be it from a message or from a server. */
  async ofQuotes(owner: string, quotes: readonly Quote[]): Promise<Origin[]> {
    const origins = await Promise.all(
      quotes.map((quote) =>
        'message' in quote
          ? this.#ofMessage(owner, quote.message)
          : this.#ofServer(owner, quote.server),
      ),
    );
    return mergeOrigins(...origins);
  }

  /** An answer may repeat whatever was read before it; a person's message has its own words. */
  async #ofMessage(owner: string, messageId: string): Promise<Origin[]> {
    const message = await getMessage(this.#deps.store.db, owner, messageId);
    if (!message) return unknown;
    if (message.role === 'user') return originsIn(message);
    return this.#taint.of(message.topicId, messageId, message);
  }

  async #ofServer(owner: string, serverId: string): Promise<Origin[]> {
    const server = this.#find(serverId);
    if (!server) return unknown;
    const { name: serverName, type } = server.config;
    if (type === 'inMemory') return [];
    if (await this.#deps.policy.isTrusted(owner, serverId))
      return this.#keptBy({ owner, serverId, serverName });
    return [newOrigin({ from: 'resource', serverId, serverName, at: this.#deps.now() })];
  }

  async #keptBy(
    server: Pick<ToolCallRecord, 'owner' | 'serverId' | 'serverName'>,
  ): Promise<Origin[]> {
    const { owner, serverId, serverName } = server;
    const holder = this.#find(serverId)?.owner ?? owner;
    const byServer = await findOrigins(this.#deps.store.db, holder, 'server', [serverId]);
    const all = byServer.get(serverId) ?? [];
    return originsFrom(holder === owner ? all : all.map(withoutTopic), 'server', serverName);
  }

  #find(serverId: string): ReturnType<McpService['servers']>[number] | undefined {
    return this.#deps.mcp.servers().find(({ id }) => id === serverId);
  }
}

const unknown: Origin[] = [{ from: 'unknown' }];

/** What is known of a tool that is gone on with after a restart: nothing. */
const strange = { trusted: false, openWorld: undefined };

/** A tool of a server that does not ship with Cerise. */
function isForeign(tool: AnyTool): tool is Tool {
  return 'serverId' in tool && tool.kind === 'mcp' && tool.definitionHash !== undefined;
}

function withoutTopic({ topicId: _, answerId: __, ...origin }: Origin): Origin {
  return origin;
}
