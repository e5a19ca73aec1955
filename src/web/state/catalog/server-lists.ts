import { create } from 'zustand';
import type { ServerView } from '#shared/api/api.ts';
import type { PromptView, ResourceView, TemplateView } from '#shared/api/server-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { api } from '../session/api.ts';

/** What is known of one list of a server; old entries stay while it is read again. */
export interface ServerList {
  state: 'loading' | 'ready' | 'failed';
  prompts: PromptView[];
  resources: ResourceView[];
  templates: TemplateView[];
  error?: ErrorInfo;
  at: number;
}

/** The two lists a composer needs. */
export type ListKind = 'prompts' | 'resources';

type Lists = Record<string, ServerList>;

/** Prompts and resources of servers by id, as far as they have answered. */
export const useServerLists = create<Record<ListKind, Lists>>(() => ({
  prompts: {},
  resources: {},
}));

/** Few at a time: a browser has six lines to the host, and a dead server keeps one busy. */
const atOnce = 3;
/** Who has not answered by then is asked again after all others; the host goes on connecting to it. */
const patienceMs = 1500;
const mostTries = 30;
const freshMs = 60_000;
const nothing = { prompts: [], resources: [], templates: [] };

/**
 * Reads a list of each server, those that are connected first; what has come shows at once, and one
 * that is down delays the others by a moment at most. The function it gives ends that.
 */
export function loadServerLists(kind: ListKind, servers: ServerView[]): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const old = servers.filter(({ id }) => !isFresh(useServerLists.getState()[kind][id]));
  const queue = old.toSorted((a, b) => rank(a) - rank(b)).map(({ id }) => ({ id, tries: 1 }));
  const work = async () => {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      const { id, tries } = next;
      const limit = AbortSignal.timeout(patienceMs);
      const isDone = await loadOne(kind, id, AbortSignal.any([signal, limit]));
      if (!isDone && tries < mostTries) queue.push({ id, tries: tries + 1 });
    }
  };
  for (let count = 0; count < atOnce; count += 1) void work();
  return () => controller.abort();
}

/** Whether the server answered, in whatever way. */
async function loadOne(kind: ListKind, id: string, signal: AbortSignal): Promise<boolean> {
  const list = useServerLists.getState()[kind][id] ?? { ...nothing, state: 'loading', at: 0 };
  put(kind, id, { ...list, state: 'loading' });
  try {
    const read = kind === 'prompts' ? api.servers.prompts(id, signal) : readResources(id, signal);
    put(kind, id, { ...nothing, ...(await read), state: 'ready', at: Date.now() });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    put(kind, id, { ...list, state: 'failed', error: toErrorInfo(error) });
    return true;
  }
}

async function readResources(id: string, signal: AbortSignal) {
  const [{ resources }, { templates }] = await Promise.all([
    api.servers.resources(id, signal),
    api.servers.templates(id, signal),
  ]);
  return { resources, templates };
}

function put(kind: ListKind, id: string, list: ServerList): void {
  useServerLists.setState((lists) => ({ [kind]: { ...lists[kind], [id]: list } }));
}

function isFresh(list: ServerList | undefined): boolean {
  return list?.state === 'ready' && Date.now() - list.at < freshMs;
}

function rank({ state }: ServerView): number {
  if (state === 'connected') return 0;
  return state === 'idle' ? 1 : 2;
}
