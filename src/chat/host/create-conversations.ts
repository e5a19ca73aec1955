import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { Messages } from '../conversations/messages.ts';
import { Topics } from '../conversations/topics.ts';
import { Data } from '../data/data.ts';
import { Quota } from '../data/quota.ts';
import { Sweeper } from '../data/sweeper.ts';
import type { Settings } from '../models/settings.ts';
import type { Users } from '../people/users.ts';
import { Registry } from '../registry/registry.ts';
import { Bundles } from '../servers/bundles.ts';
import type { Base } from './base.ts';
import type { ModelParts } from './create-models.ts';
import type { ServerParts } from './create-servers.ts';
import type { Engine } from './engine.ts';

/** What people do with conversations and with all their data, and what tidies up after them. */
export function createConversations(
  { store, limits, logger, events, now }: Base,
  home: string,
  deps: {
    box: SecretBox;
    blobs: Blobs;
    users: Users;
    settings: Settings;
    modelParts: ModelParts;
    serverParts: ServerParts;
    engine: Engine;
  },
) {
  const { box, blobs, users, settings } = deps;
  const { models, choices } = deps.modelParts;
  const { servers, sessions } = deps.serverParts;
  const emit = (owner: string, event: HostEvent) => events.emit(owner, event);
  const { live, turns, commands, origins } = deps.engine;
  const quota = new Quota(store, limits);
  const sweeper = new Sweeper({
    store,
    blobs,
    users,
    limits,
    logger,
    onExpired: (topicId) => void sessions.topicDeleted(topicId),
    now,
  });
  const messages = new Messages({
    store,
    blobs,
    limits,
    live,
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
    emit,
    now,
  });
  const data = new Data({
    store,
    blobs,
    box,
    settings,
    limits,
    servers,
    models,
    sweeper,
    topics,
    quota,
    home,
    emit,
    now,
  });
  const fetchAllow = () => settings.fetchAllow();
  const bundles = new Bundles({ store, blobs, servers, users, fetchAllow, quota, limits, now });
  const registry = new Registry({ store, servers, users, fetchAllow, now });
  return { quota, sweeper, messages, topics, data, bundles, registry };
}
