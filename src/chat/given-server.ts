import { CeriseError } from '#shared/errors.ts';
import { isJsonObject } from '#shared/json.ts';
import { limits } from '#shared/limits.ts';
import { say } from '#shared/sentence.ts';
import { type Attachment, attachmentSchema } from '#shared/server.ts';
import { countServers } from '#store/servers.ts';
import type { Db } from '#store/store.ts';

/** What a server is attached to, and whether it is shared, stands beside the fields of its config. */
export function splitInput(input: unknown): {
  attachedTo?: Attachment;
  shared?: boolean;
  server: unknown;
} {
  if (!isJsonObject(input)) return { server: input };
  const { attachedTo, shared: said, ...server } = input;
  const shared = typeof said === 'boolean' ? { shared: said } : {};
  if (attachedTo === undefined) return { ...shared, server };
  const parsed = attachmentSchema.safeParse(attachedTo);
  if (parsed.success) return { attachedTo: parsed.data, ...shared, server };
  throw new CeriseError(
    'invalid_server',
    say('attached-to-nothing')`attachedTo names neither an assistant nor a topic.`,
    {
      hint: say('attached-to-hint')`Write {"assistant": id} or {"topic": id}.`,
    },
  );
}

/** Other hosts' words for it: a server that is to be enabled must not stay disabled. */
export function withDisabled(change: object): object {
  const { enabled, isActive, ...rest } = change as { enabled?: unknown; isActive?: unknown };
  const on = enabled ?? isActive;
  return typeof on === 'boolean' ? { disabled: !on, ...rest } : change;
}

/** Throws `too_many_requests` where somebody would have too many servers with these. */
export async function assertRoom(tx: Db, owner: string, more: number): Promise<void> {
  if (more === 0 || (await countServers(tx, owner)) + more <= limits.serversPerOwner) return;
  throw new CeriseError(
    'too_many_requests',
    say('servers-at-most')`There may be ${limits.serversPerOwner} servers.`,
  );
}
