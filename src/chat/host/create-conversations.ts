import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import type { Store } from '#store/database/store.ts';
import type { HostEvents } from '../cluster/host-events.ts';
import { Messages } from '../conversations/messages.ts';
import { Topics } from '../conversations/topics.ts';
import { Quota } from '../data/quota.ts';
import { Sweeper } from '../data/sweeper.ts';
import type { ModelChoices } from '../models/model-choices.ts';
import type { Users } from '../people/users.ts';
import type { Servers } from '../servers/servers.ts';
import type { SessionServers } from '../servers/session-servers.ts';
import type { Engine } from './engine.ts';

/** What people do with conversations, and what tidies up after them. */
export function createConversations(deps: {
  store: Store;
  blobs: Blobs;
  users: Users;
  models: ModelCatalogs;
  choices: ModelChoices;
  servers: Servers;
  sessions: SessionServers;
  engine: Engine;
  events: HostEvents;
  limits: Limits;
  logger: Logger;
  now: () => number;
}) {
  const { store, blobs, users, models, choices, servers, sessions } = deps;
  const { events, limits, logger, now } = deps;
  const { live, turns, commands, origins } = deps.engine;
  const quota = new Quota(store, limits);
  const sweeper = new Sweeper({ store, blobs, users, limits, logger, now });
  const messages = new Messages({
    store,
    blobs,
    limits,
    topics: live,
    turns,
    commands,
    origins,
    checkModel: async (name, owner) => void (await models.of(owner).resolve(name)),
    checkServers: (...named) => servers.check(...named),
    checkRoom: (owner) => quota.requireRoom(owner, 0),
    choices,
    now,
  });
  const topics = new Topics({
    store,
    limits,
    live,
    turns,
    commands,
    servers,
    sessions,
    sweeper,
    emit: (owner, event) => events.emit(owner, event),
    now,
  });
  return { quota, sweeper, messages, topics };
}
