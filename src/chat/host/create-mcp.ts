import { join } from 'node:path';
import type { BundleFolders } from '#mcp/bundles/bundle-folders.ts';
import { createBuiltinServer } from '#mcp/builtin/builtin-servers.ts';
import type { EraMemory } from '#mcp/connection/open-connection.ts';
import { reapOrphans } from '#mcp/process/ledger.ts';
import { McpProcessTracker } from '#mcp/process/process-tracker.ts';
import type { Sandbox } from '#mcp/process/sandbox.ts';
import type { ServerStatus } from '#mcp/service/server-status.ts';
import { McpService } from '#mcp/service/mcp-service.ts';
import type { CredentialPort, Logger } from '#shared/vocabulary/ports.ts';
import { createMemory } from '#store/calls/memory.ts';
import { createProvenance } from '#store/calls/provenance.ts';
import { createLogNews } from '../cluster/log-news.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Settings } from '../models/settings.ts';
import { localOwner } from '../people/users.ts';
import { authorizerFor } from '../servers/sign-in-requests.ts';
import type { Base } from './base.ts';
import type { StatusLog } from './status-log.ts';

/** What the MCP service of a host is made from. */
interface McpDeps {
  settings: Settings;
  inputs: Inputs;
  credentials: CredentialPort;
  tracker: McpProcessTracker;
  /** Shared by all services of the host: an instance of a server speaks as the others do. */
  eras: EraMemory;
  sandbox: Sandbox;
  home: string;
  /** Variables that servers of admins may use. */
  serverVariables: Record<string, string>;
  /** Where bundles are unpacked. */
  folders: Pick<BundleFolders, 'ensure'>;
  /** One for all services of a host, which may run the same server several times. */
  logStatus: StatusLog;
  /** What people are told of a server's state; absent: the state itself. */
  statusOf?: (serverId: string, status: ServerStatus) => ServerStatus;
}

/** Where the packages of servers are installed. */
export const packagesIn = (home: string): string => join(home, 'packages');

/** Where running processes are noted. */
export const ledgerIn = (home: string): string => join(home, 'processes');

/** Ends what a host that was killed left running, and watches over what is started from now on. */
export async function openTracker(home: string, logger: Logger): Promise<McpProcessTracker> {
  const ledgerFolder = ledgerIn(home);
  const orphans = await reapOrphans(ledgerFolder);
  if (orphans.length > 0)
    logger.warn({ orphans }, 'Stopped processes left over from an earlier run');
  return new McpProcessTracker({ ledgerFolder, logger });
}

/** The service over all servers of a host: its built-in ones, what answers servers, and who hears of them. */
export function createMcp(base: Base, deps: McpDeps): McpService {
  const { store, events, limits, logger, signals, telemetry, now } = base;
  const { settings, inputs, credentials, tracker, eras, home, serverVariables } = deps;
  const { folders, sandbox } = deps;
  const contextOf = (owner: string) => ({
    workspace: workspaceOf(home, owner),
    memory: createMemory(store, owner),
    provenance: createProvenance(store, owner),
    fetchAllow: () => settings.fetchAllow(),
    webSearch: () => settings.webSearch(),
    now: () => new Date(),
  });
  return new McpService({
    builtin: (name, owner) => createBuiltinServer(name, contextOf(owner)),
    limits,
    logger,
    watch: telemetry.detail,
    tracker,
    eras,
    hostVariables: (name) =>
      Object.hasOwn(serverVariables, name) ? serverVariables[name] : undefined,
    sandbox,
    packagesFolder: packagesIn(home),
    unpack: (hash) => folders.ensure(hash),
    answers: (server) => inputs.answersFor(server),
    authorizer: (record) => authorizerFor(record, { credentials, limits, logger, now }),
    onStatus: (serverId, own, { owner, shared, config }) => {
      const status = deps.statusOf?.(serverId, own) ?? own;
      deps.logStatus({ serverId, name: config.name }, status);
      if (isStopped(status.state)) inputs.closeServer(serverId);
      const event = { type: 'server-changed' as const, serverId, ...status };
      if (!shared) return events.emit(owner, event);
      // What an installer writes and what to change in the settings is for whoever manages the server.
      const { output, fix, ...forAll } = event;
      events.deliverToAll(forAll);
      if (output !== undefined || fix) events.deliver(owner, event);
    },
    onNews: (serverId, news) => void signals.tell('server-said', { serverId, ...news }),
    onLog: createLogNews((serverId, { owner, shared }) => {
      const event = { type: 'server-logged' as const, serverId };
      if (shared) events.deliverToAll(event);
      else events.deliver(owner, event);
    }),
  });
}

/** Nobody's files are in the folder of anybody else. */
export function workspaceOf(home: string, owner: string): string {
  return owner === localOwner ? join(home, 'workspace') : join(home, 'workspaces', owner);
}

function isStopped(state: string): boolean {
  return state === 'draft' || state === 'disabled' || state === 'idle';
}
