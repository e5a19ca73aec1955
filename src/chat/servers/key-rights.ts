import type { ServerView, Settings } from '#shared/api/api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { UsageView } from '#shared/api/usage-api.ts';
import { CeriseError, type ErrorCode } from '#shared/errors/errors.ts';
import { say, sentenceRef, textOf, type Words } from '#shared/errors/sentence.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Provider } from '#shared/vocabulary/model.ts';
import type { Decision, PolicyDocument } from '#shared/vocabulary/policy-api.ts';
import {
  allowsServer,
  allowsTool,
  allowsWhole,
  type Within,
} from '#shared/vocabulary/server-limit.ts';
import type { ServerConfig, ServerRecord } from '#shared/vocabulary/server.ts';
import { isFull, type Visitor } from '../people/visitor.ts';
import { callNotFound } from '../policy/call-not-found.ts';
import { serverNotFound } from './loaded-servers.ts';
import { withoutAddress } from './server-secrets.ts';
import type { Servers } from './servers.ts';

type CallFacts = Pick<ToolCallView, 'serverId' | 'toolName'>;

/** What a visitor is limited to; undefined for all but limited keys and programs. */
export function withinOf({ credential }: Visitor): Within {
  return 'within' in credential ? credential.within : undefined;
}

/**
 * A server that a key may use: anything of it, all of it, or one tool. One it is not limited to is as one
 * that is not there. Throws `server_not_found`, `forbidden`.
 */
export function serverFor(
  servers: Pick<Servers, 'usable'>,
  visitor: Visitor,
  serverId: string,
  use: 'anything' | 'all' | { tool: string } = 'anything',
): ServerRecord {
  const record = servers.usable(visitor.owner, serverId);
  const within = withinOf(visitor);
  if (!allowsServer(within, record.id)) throw serverNotFound();
  if (use === 'anything') return record;
  const isAllowed =
    use === 'all' ? allowsWhole(within, record.id) : allowsTool(within, record.id, use.tool);
  if (isAllowed) return record;
  throw forbidden(say('key-other-tools')`This API key doesn't have access to this tool.`);
}

/** Throws `forbidden` for a call of a tool that the key may not use. */
export function assertMayDecide(visitor: Visitor, { serverId, toolName }: CallFacts): void {
  if (allowsTool(withinOf(visitor), serverId, toolName)) return;
  throw forbidden(
    say('key-other-servers')`This API key doesn't have access to this server or tool.`,
  );
}

/** Only a key for everything writes rules: with any other, a decision is for one call. Throws `forbidden`. */
export function assertMayRemember(visitor: Visitor, { scope }: Pick<Decision, 'scope'>): void {
  if (scope === 'once' || isFull(visitor)) return;
  throw forbidden(
    say('key-once')`This API key can only approve one call at a time.`,
    say('key-once-hint')`Set the scope to once, or use a key with the admin scope.`,
  );
}

/** A server as a visitor may see it: only keys with full access see how it is run and reached. */
export function serverViewFor(visitor: Visitor, view: ServerView): ServerView {
  if (isFull(visitor)) return view;
  const config = withoutAddress(view.config as ServerConfig);
  return { ...withoutLaunch(view), launchHash: '', config };
}

/** The same for an error that came of using a server. One of a call that was sent says what is known of it. */
export function serverErrorFor(visitor: Visitor, error: unknown): unknown {
  if (isFull(visitor) || !(error instanceof CeriseError) || !tellsLaunch(error.code)) return error;
  const { toolCallId, reach } = (error.details ?? {}) as Pick<Partial<ToolCallView>, 'reach'> & {
    toolCallId?: string;
  };
  if (reach !== undefined && reach !== 'never-left') return error;
  const details = { ...(toolCallId !== undefined && { toolCallId }), ...(reach && { reach }) };
  return new CeriseError(error.code, unavailable(), { details });
}

interface LaunchFacts {
  reason?: string | undefined;
  reasonSaid?: unknown;
  reasonCode?: string | undefined;
  output?: string | undefined;
  fix?: unknown;
}

/** A state without what tells how the server is run or reached, or what it wrote. */
function withoutLaunch<T extends LaunchFacts>(state: T): T {
  const { output: _, fix: __, ...shown } = state;
  const words = unavailable();
  const isTold = state.reason !== undefined && tellsLaunch(state.reasonCode);
  const why = isTold && { reason: textOf(words), reasonSaid: sentenceRef(words) };
  return { ...shown, ...why } as T;
}

/** What errors say that name a command, a file, a variable, an address, or the last words of a process. */
const launchCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'address_blocked',
  'command_not_found',
  'connection_lost',
  'connection_refused',
  'http_error',
  'invalid_server',
  'missing_variable',
  'sandbox_missing',
  'sign_in_failed',
  'unreadable_response',
]);

function tellsLaunch(code: string | undefined): boolean {
  return code !== undefined && launchCodes.has(code);
}

function unavailable(): Words {
  return say('server-unavailable')`This server isn't available right now.`;
}

/** The same for a vendor of models: its address may hold a key. */
export function providerViewFor(visitor: Visitor, view: Provider): Provider {
  return isFull(visitor) ? view : { ...view, baseUrl: '' };
}

/** The same for settings: what the host reaches is for keys with all rights alone. */
export function settingsFor(visitor: Visitor, settings: Settings): Settings {
  if (isFull(visitor)) return settings;
  const { webSearch, ...rest } = settings;
  return { ...rest, fetchAllow: [], ...(webSearch && { webSearch: { kind: webSearch.kind } }) };
}

/** An event of the host as a listener may see it; undefined if it is about what their key may not use. */
export function eventFor(visitor: Visitor, event: HostEvent): HostEvent | undefined {
  const within = withinOf(visitor);
  const isHeard =
    'toolCallId' in event
      ? allowsTool(within, event.serverId, event.toolName)
      : !('serverId' in event) || allowsServer(within, event.serverId);
  if (!isHeard) return undefined;
  return event.type === 'server-changed' && !isFull(visitor) ? withoutLaunch(event) : event;
}

/** The event that tells a new listener of a waiting call. */
export function waitingEvent({ id, topicId, serverId, toolName }: ToolCallView): HostEvent {
  return { type: 'tool-call-waiting', toolCallId: id, topicId, serverId, toolName };
}

/** A call, or as if it were not there where the key may not use its tool. Throws `tool_call_not_found`. */
export function callFor<T extends CallFacts>(visitor: Visitor, call: T): T {
  if (allowsTool(withinOf(visitor), call.serverId, call.toolName)) return call;
  throw callNotFound();
}

/**
 * What a topic uses counts for everybody who writes in it, so a limited key changes nothing of that: it
 * says with each message what it wants. Throws `forbidden`.
 */
export function assertMayChoose(
  visitor: Visitor,
  change: { mcp?: unknown; assistantId?: unknown },
) {
  const isChosen = change.mcp !== undefined || change.assistantId !== undefined;
  if (!isChosen || withinOf(visitor) === undefined) return;
  throw forbidden(
    say(
      'key-topic-tools',
    )`This API key is limited to certain servers, so it can't change a chat's tools or assistant.`,
    say(
      'key-topic-tools-hint',
    )`Send tools with the message instead, or use a key without server limits.`,
  );
}

/** The policy without what is about servers that a limited key may not use. */
export function policyFor(visitor: Visitor, policy: PolicyDocument): PolicyDocument {
  const within = withinOf(visitor);
  const { rules, trustedServers, safeToRepeat } = policy;
  const isAbout = ({ serverId }: { serverId?: string | undefined }): boolean =>
    serverId === undefined || serverId.includes('*') || allowsServer(within, serverId);
  return {
    ...policy,
    rules: rules.filter(isAbout),
    trustedServers: trustedServers.filter((serverId) => allowsServer(within, serverId)),
    safeToRepeat: safeToRepeat.filter(isAbout),
  };
}

/** The same for what was used. */
export function usageFor(visitor: Visitor, usage: UsageView): UsageView {
  const within = withinOf(visitor);
  return {
    ...usage,
    servers: usage.servers.filter(({ serverId }) => allowsServer(within, serverId)),
    tools: usage.tools.filter(({ serverId, toolName }) => allowsTool(within, serverId, toolName)),
  };
}

/** For what is about all servers at once. Throws `forbidden` for a limited key. */
export function assertUnlimited(visitor: Visitor): void {
  if (withinOf(visitor) === undefined) return;
  throw forbidden(
    say('key-other-servers')`This API key doesn't have access to this server or tool.`,
  );
}

function forbidden(message: Words, hint?: Words): CeriseError {
  return new CeriseError('forbidden', message, {
    hint: hint ?? say('key-scope-hint')`Create another key in Settings → Account.`,
  });
}
