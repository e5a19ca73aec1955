import type { BundleFolders } from '#mcp/bundles/bundle-folders.ts';
import { builtinServers } from '#mcp/builtin/builtin-servers.ts';
import { Sandbox } from '#mcp/process/sandbox.ts';
import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import type { BlobPort, SecretBox } from '#shared/vocabulary/ports.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { createCredentials } from '#store/people/credentials.ts';
import { RunningCalls } from '../calls/running-calls.ts';
import { Inputs } from '../inputs/inputs.ts';
import type { Settings } from '../models/settings.ts';
import type { Users } from '../people/users.ts';
import { ToolPins } from '../policy/policy-pins.ts';
import { Policy } from '../policy/policy.ts';
import { Rehearsals } from '../replay/rehearsals.ts';
import { LoadedServers } from '../servers/loaded-servers.ts';
import { ServerSignIn } from '../servers/server-sign-in.ts';
import { Servers } from '../servers/servers.ts';
import { SessionServers } from '../servers/session-servers.ts';
import type { Base } from './base.ts';
import { createStatusLog } from './status-log.ts';
import { createMcp, openTracker } from './create-mcp.ts';

interface ServerPartsDeps {
  box: SecretBox;
  blobs: BlobPort;
  users: Users;
  settings: Settings;
  models: ModelCatalogs;
  home: string;
  publicUrl: string | undefined;
  serverVariables: Record<string, string>;
  folders: BundleFolders;
  bubblewrap: string | false | undefined;
}

/** The MCP servers: what runs them, answers their questions, judges their calls and signs people in to them. */
export async function createServers(base: Base, deps: ServerPartsDeps) {
  const { store, limits, logger, signals, events, instance, now } = base;
  const { box, blobs, users, settings, models, home, publicUrl, bubblewrap } = deps;
  const running = new RunningCalls();
  const inputs = new Inputs({
    store,
    models,
    running,
    defaultModel: (owner) => settings.defaultModel(owner),
    emit: (owner, event) => events.emit(owner, event),
    now,
    limits,
    instance,
  });
  const credentials = createCredentials(store, box, now);
  const tracker = await openTracker(home, logger);
  const isRequired = () => settings.requiresSandbox();
  const sandbox = new Sandbox({ dataFolder: home, bubblewrap, isRequired });
  const logStatus = createStatusLog(logger);
  const service = { ...deps, sandbox, inputs, credentials, tracker, eras: new Map(), logStatus };
  const mcp = createMcp(base, service);
  const sessions = new SessionServers(mcp, {
    createService: (statusOf) => createMcp(base, { ...service, statusOf }),
    limits,
  });
  const loaded = new LoadedServers({
    store,
    mcp,
    sessions,
    box,
    users,
    builtins: builtinServers,
    isBusy: (owner) => running.isBusy(owner),
    onRemoved: (server) => announceRemoval(events, server),
    now,
  });
  const policy = new Policy({
    store,
    signals,
    now,
    servers: {
      isAdmin: (owner) => users.isAdmin(owner),
      ownerOf: (serverId) => loaded.ownerOf(serverId),
      check: (owner, named) => loaded.check(owner, named),
    },
  });
  const pins = new ToolPins({ store, policy, now });
  const servers = new Servers({
    store,
    mcp,
    sessions,
    loaded,
    pins,
    box,
    users,
    limits,
    signals,
    sandbox,
    now,
  });
  const signIn = new ServerSignIn({
    store,
    credentials,
    logger,
    now,
    limits,
    publicUrl,
    mcp,
    servers,
  });
  // A trial instance does not change the state that people see.
  const statusOf = (serverId: string) => mcp.status(serverId);
  const createService = () => createMcp(base, { ...service, statusOf });
  const rehearsals = new Rehearsals({ ...base, blobs, servers, createService });
  const connections = { running, inputs, mcp, sandbox, sessions };
  return { ...connections, loaded, policy, pins, servers, rehearsals, signIn };
}

function announceRemoval(events: Base['events'], { id, owner, shared }: ServerRecord): void {
  const event = { type: 'server-removed' as const, serverId: id };
  if (shared) events.deliverToAll(event);
  else events.deliver(owner, event);
}

export type ServerParts = Awaited<ReturnType<typeof createServers>>;
