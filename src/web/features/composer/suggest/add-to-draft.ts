import { newKey } from '#client/http/key.ts';
import type { ServerView } from '#shared/api/api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { quoteInDraft, readDraft, writeDraft } from '../../../state/chat/drafts.ts';
import { api } from '../../../state/session/api.ts';
import { promptDraft } from '#client/drafts/prompt-draft.ts';

/** Puts a resource beside the message, once; it is read when the message is sent. */
export function addResource(
  topicId: string | null,
  server: ServerView,
  {
    uri,
    name,
    title,
    mimeType,
  }: { uri: string; name: string; title?: string | undefined; mimeType?: string | undefined },
): void {
  const { attachments } = readDraft(topicId);
  const isThere = attachments.some(
    (one) => one.kind === 'resource' && one.uri === uri && one.serverId === server.id,
  );
  if (isThere) return;
  const resource = {
    kind: 'resource' as const,
    key: newKey(),
    serverId: server.id,
    serverName: server.name,
    uri,
    name: title ?? name,
    state: 'chosen' as const,
    ...(mimeType !== undefined && { mimeType }),
  };
  writeDraft(topicId, { attachments: [...attachments, resource] });
}

/** Fills in a prompt and puts its words into the box, the rest of it beside. */
export async function fetchPrompt(options: {
  topicId: string | null;
  server: ServerView;
  name: string;
  values: Record<string, string>;
  attach: (files: File[]) => void;
  /** Says that it is no longer wanted. */
  signal?: AbortSignal;
}): Promise<void> {
  const { topicId, server, name, values, attach, signal } = options;
  const limit = AbortSignal.any([AbortSignal.timeout(60_000), ...(signal ? [signal] : [])]);
  const { messages } = await api.servers.getPrompt(server.id, name, values, limit);
  if (messages.length === 0)
    throw new CeriseError('not_found', say('prompt-empty')`The prompt has no messages.`);
  const { text, files } = promptDraft(name, messages);
  quoteInDraft(topicId, text, { server: server.id });
  if (files.length > 0) attach(files);
}
