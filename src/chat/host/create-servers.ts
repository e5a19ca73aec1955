import { builtinServers } from '#mcp/builtin/builtin-servers.ts';
import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Logger, SecretBox } from '#shared/vocabulary/ports.ts';
import type { Store } from '#store/database/store.ts';
import { createCredentials } from '#store/people/credentials.ts';
import { RunningCalls } from '../calls/running-calls.ts';
import type { HostEvents } from '../cluster/host-events.ts';
import { Inputs } from '../inputs/inputs.ts';
import type { Settings } from '../models/settings.ts';
import type { Users } from '../people/users.ts';
import { ToolPins } from '../policy/policy-pins.ts';
import { Policy } from '../policy/policy.ts';
import { LoadedServers } from '../servers/loaded-servers.ts';
import { ServerSignIn } from '../servers/server-sign-in.ts';
import { Servers } from '../servers/servers.ts';
import { SessionServers } from '../servers/session-servers.ts';
import type { Signals } from '../topic/signals.ts';
import { createMcp, openTracker } from './create-mcp.ts';

/** The MCP servers: what runs them, answers their questions, judges their calls and signs people in to them. */
export async function createServers(deps: {
  store: Store;
  box: SecretBox;
  users: Users;
  settings: Settings;
  models: ModelCatalogs;
  events: HostEvents;
  signals: Signals;
  instance: string;
  home: string;
  publicUrl?: string | undefined;
  limits: Limits;
  logger: Logger;
  now: () => number;
}) {
  const { store, box, users, settings, models, events, signals, instance } = deps;
  const { home, publicUrl, limits, logger, now } = deps;
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
  const needs = { store, settings, events, inputs, credentials, tracker, eras: new Map() };
  const service = { ...needs, home, limits, logger, now };
  const mcp = createMcp(service);
  const sessions = new SessionServers(mcp, {
    createService: (statusOf) => createMcp({ ...service, statusOf }),
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
  const known = { store, mcp, sessions, loaded, pins, box, users, limits, signals, now };
  const servers = new Servers(known);
  const signing = { store, credentials, logger, now, limits, publicUrl, mcp, servers };
  const signIn = new ServerSignIn(signing);
  return { running, inputs, mcp, sessions, loaded, policy, pins, servers, signIn };
}
