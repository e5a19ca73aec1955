import type { ServerView } from '#shared/api/api.ts';
import type { ToolSelection } from '#shared/vocabulary/message.ts';

/** The servers that a conversation may use: a session server belongs to one of them alone. */
export function reachableServers(
  servers: ServerView[],
  { topicId, assistantId }: { topicId: string | null; assistantId: string | undefined },
): ServerView[] {
  return servers.filter(({ attachedTo }) => {
    if (!attachedTo) return true;
    return 'topic' in attachedTo
      ? attachedTo.topic === topicId
      : attachedTo.assistant === assistantId;
  });
}

/** What answers: a real model, or the scripted demo. */
interface Model {
  scripted: boolean;
}

/** Those whose tools the next answer may use. */
export function offeredServers(
  servers: ServerView[],
  selection: ToolSelection,
  model: Model,
): ServerView[] {
  return tickedServers(servers, selection, model).filter(({ state }) => state !== 'failed');
}

/** Those that a selection means: a real model gets the demo server only if it is selected. */
export function tickedServers(
  servers: ServerView[],
  selection: ToolSelection,
  { scripted }: Model,
): ServerView[] {
  const usable = selectedServers(servers, selection);
  if (scripted || selection.mode === 'manual') return usable;
  return usable.filter(({ builtin, name }) => !builtin || name !== 'demo');
}

/** Those of them that are switched on by a selection. Session servers always are, unless tools are off. */
export function selectedServers(servers: ServerView[], selection: ToolSelection): ServerView[] {
  if (!selection.enabled) return [];
  const usable = servers.filter(({ state }) => state !== 'draft' && state !== 'disabled');
  if (selection.mode === 'auto') return usable;
  return usable.filter(
    ({ id, attachedTo }) => attachedTo !== undefined || selection.selectedServers.includes(id),
  );
}

/** People's own servers before those that are built in; otherwise in their order. */
export function ownServersFirst(servers: ServerView[]): ServerView[] {
  return servers.toSorted((a, b) => Number(a.builtin) - Number(b.builtin));
}
