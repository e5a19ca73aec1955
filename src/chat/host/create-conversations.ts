import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { Messages } from '../conversations/messages.ts';
import { Topics } from '../conversations/topics.ts';
import { Data } from '../data/data.ts';
import { Pictures } from '../data/pictures.ts';
import type { Quota } from '../data/quota.ts';
import { Sweeper } from '../data/sweeper.ts';
import type { Settings } from '../models/settings.ts';
import type { Users } from '../people/users.ts';
import { createCatalogue } from '../registry/catalogue.ts';
import { Bundles } from '../servers/bundles.ts';
import type { Base } from './base.ts';
import type { ModelParts } from './create-models.ts';
import { createRuns } from './create-runs.ts';
import type { ServerParts } from './create-servers.ts';
import type { Engine } from './engine.ts';

/** What people do with conversations and with all their data, and what tidies up after them. */
export function createConversations(
  base: Base,
  home: string,
  deps: {
    box: SecretBox;
    blobs: Blobs;
    users: Users;
    settings: Settings;
    modelParts: ModelParts;
    serverParts: ServerParts;
    quota: Quota;
    engine: Engine;
  },
) {
  const { store, limits, logger, events, now } = base;
  const { box, blobs, users, settings, modelParts, serverParts, quota } = deps;
  const { models, choices } = modelParts;
  const { servers, sandbox, sessions } = serverParts;
  const { live, turns, commands, origins } = deps.engine;
  const emit = (owner: string, event: HostEvent) => events.emit(owner, event);
  const pictures = new Pictures(settings);
  const sweeper = new Sweeper({
    store,
    blobs,
    users,
    limits,
    logger,
    deleteTopic: (owner, topicId) => topics.delete(owner, topicId),
    onExpired: (topicId) => void sessions.topicDeleted(topicId),
    now,
  });
  const messagesDeps = {
    store,
    blobs,
    limits,
    live,
    turns,
    commands,
    origins,
    resolveModel: (name: string, owner: string) => models.of(owner).resolve(name),
    checkServers: (...named: Parameters<typeof servers.check>) => servers.check(...named),
    checkRoom: (owner: string) => quota.requireRoom(owner, 0),
    choices,
    now,
  };
  const messages = new Messages(messagesDeps);
  const topics = new Topics({ ...messagesDeps, servers, sessions, sweeper, emit });
  const parts = { ...messagesDeps, topics, messages };
  const programs = createRuns(base, parts, deps.engine, { pictures, quota });
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
  const adding = { store, servers, users, limits, now, fetchAllow: () => settings.fetchAllow() };
  const bundles = new Bundles({ ...adding, blobs, quota });
  const catalogue = createCatalogue({ ...adding, sandbox, bundles, emit });
  return { sweeper, messages, topics, ...programs, pictures, data, bundles, catalogue };
}
