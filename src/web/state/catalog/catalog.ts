import { useMemo } from 'react';
import { create } from 'zustand';
import type { ServerView } from '#shared/api/api.ts';
import { Rereading } from '#shared/async/rereading.ts';
import type { SentenceRef } from '#shared/errors/sentence.ts';
import type { Assistant } from '#shared/vocabulary/message.ts';
import type { ModelInfo, ModelParameters, Provider, VendorInfo } from '#shared/vocabulary/model.ts';
import type { ServerFix } from '#shared/vocabulary/server.ts';
import { logFault } from '../page/log-fault.ts';
import { api } from '../session/api.ts';

interface CatalogState {
  models: ModelInfo[];
  defaultModel: string;
  /** Whether the default is this person's own choice. */
  hasOwnDefault: boolean;
  /** In the order in which they were marked. */
  favouriteModels: string[];
  /** What holds where nobody says how much to think. */
  reasoningEffort?: ModelParameters['reasoningEffort'];
  assistants: Assistant[];
  servers: ServerView[];
  serversLoaded: boolean;
  /** Read by the settings page only. */
  providers: Provider[] | null;
  /** What a provider can be made of; read with the providers. */
  vendors: VendorInfo[];
}

/** What a conversation can be given: models, assistants and servers with their live states. */
export const useCatalog = create<CatalogState>(() => ({
  models: [],
  defaultModel: '',
  hasOwnDefault: false,
  favouriteModels: [],
  assistants: [],
  servers: [],
  serversLoaded: false,
  providers: null,
  vendors: [],
}));

const { setState: set, getState: get } = useCatalog;

const readingModels = new Rereading(async () => {
  const { models, defaultModel, hasOwnDefault, favouriteModels, reasoningEffort } =
    await api.assistants.models();
  set({ models, defaultModel, hasOwnDefault, favouriteModels, reasoningEffort });
});

/** Reads the models and the default one again. */
export function loadModels(): Promise<void> {
  return readingModels.load();
}

/** The models that are offered where one is chosen; a hidden one only while it is in use. */
export function usePickableModels(inUse?: string): ModelInfo[] {
  const models = useCatalog((state) => state.models);
  return useMemo(() => models.filter(({ id, hidden }) => !hidden || id === inUse), [models, inUse]);
}

const readingAssistants = new Rereading(async () => {
  const { assistants } = await api.assistants.list();
  set({ assistants });
});

/** Reads the assistants again. */
export function loadAssistants(): Promise<void> {
  return readingAssistants.load();
}

const readingProviders = new Rereading(async () => {
  const [{ providers }, { vendors }] = await Promise.all([
    api.settings.providers(),
    get().vendors.length > 0 ? get() : api.settings.vendors(),
  ]);
  set({ providers, vendors });
});

/** Reads the providers again. */
export function loadProviders(): Promise<void> {
  return readingProviders.load();
}

const readingServers = new Rereading(async () => {
  const { servers } = await api.servers.list();
  set({ servers, serversLoaded: true });
});

/** Reads the servers with their states again. */
export function loadServers(): Promise<void> {
  return readingServers.load();
}

/** The tools of a server. How many there are is then shown wherever the server is. */
export async function readTools(
  serverId: string,
  signal: AbortSignal,
): ReturnType<typeof api.servers.tools> {
  const answer = await api.servers.tools(serverId, signal);
  const toolCount = answer.tools.length;
  const { servers } = get();
  set({ servers: servers.map((one) => (one.id === serverId ? { ...one, toolCount } : one)) });
  return answer;
}

/** Forgets a server that was removed, here or elsewhere. */
export function dropServer(serverId: string): void {
  readingServers.changed();
  set({ servers: get().servers.filter(({ id }) => id !== serverId) });
}

/** Shows a server's new state; reads the list again if the server is new here. */
export function showServerState(change: {
  serverId: string;
  state: string;
  reason?: string;
  reasonSaid?: SentenceRef;
  reasonCode?: string;
  since: number;
  output?: string;
  fix?: ServerFix;
}): void {
  const { servers } = get();
  if (!servers.some(({ id }) => id === change.serverId)) {
    loadServers().catch(logFault);
    return;
  }
  readingServers.changed();
  const state = change.state as ServerView['state'];
  const { reason, reasonSaid, reasonCode, since, output, fix } = change;
  set({
    servers: servers.map((server) =>
      server.id === change.serverId
        ? { ...server, state, reason, reasonSaid, reasonCode, since, output, fix }
        : server,
    ),
  });
}
