import type { McpService } from '#mcp/service/mcp-service.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Topic, TurnSelection } from '#shared/vocabulary/message.ts';
import type { BlobPort, Logger } from '#shared/vocabulary/ports.ts';
import type { Store } from '#store/database/store.ts';
import { type HostTool, ToolRegistry } from '#tools/registry/registry.ts';
import { type LoadFailure, loadTools } from '#tools/registry/tools-loader.ts';
import { deferralNames } from '#tools/search/deferred-tools.ts';
import { readMoreName } from '../calls/read-more-note.ts';
import type { ToolPins } from '../policy/policy-pins.ts';
import type { SessionServers } from '../servers/session-servers.ts';
import { readMoreTool } from './read-more.ts';

/** Names that tools of servers may not have. */
const ownNames = [...Object.values(deferralNames), readMoreName];

/** Refuses at the start what would otherwise fail in every answer: tools that cannot run, names that are taken. */
export function checkHostTools(tools: readonly HostTool[]): void {
  const registry = new ToolRegistry();
  const execute = () => Promise.reject(new Error('stands for a name'));
  for (const name of ownNames)
    registry.register({ name, description: '', inputSchema: {}, execute });
  for (const tool of tools) registry.register(tool);
}

interface Sources {
  store: Store;
  blobs: BlobPort;
  limits: Limits;
  mcp: McpService;
  sessions: SessionServers;
  pins: ToolPins;
  /** Makes sure that the servers of an owner are known. */
  prepare: (owner: string) => Promise<void>;
  /** Functions of the host that models may call. */
  tools?: HostTool[];
  logger: Logger;
}

/**
 * The tools of one turn: those of the chosen servers, the host's own, and the one that reads more of
 * what is long. What is missing is told to `onFailure`, or else logged.
 */
export async function loadTurnTools(
  sources: Sources,
  owner: string,
  topic: Topic,
  selection: TurnSelection,
  onFailure?: (failure: LoadFailure) => void,
): Promise<ToolRegistry> {
  const { mcp, sessions, pins, tools: native = [], logger } = sources;
  await sources.prepare(owner);
  const { tools, failures } = await loadTools(mcp, selection, {
    owner,
    attachedTo: [{ topic: topic.id }, { assistant: topic.assistantId }],
    session: sessions.of(topic),
    descriptionToModel: sources.limits.descriptionToModel,
    pins: pins.check(),
    reserved: new Set([...native.map(({ name }) => name), ...ownNames]),
  });
  const log = (failure: LoadFailure) => logger.warn(failure, 'An answer is missing tools');
  for (const failure of failures) (onFailure ?? log)(failure);
  const registry = new ToolRegistry(tools);
  if (!selection.enabled) return registry;
  // Functions of the host belong to no server that a key could be limited to.
  if (!selection.within) for (const tool of native) registry.register(tool);
  registry.register(readMoreTool({ ...sources, owner, topicId: topic.id }));
  return registry;
}
