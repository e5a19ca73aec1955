import { besideServerSchema } from '#shared/api/api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { counted, say } from '#shared/errors/sentence.ts';
import { listed } from '#shared/text/listing.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import {
  type Attachment,
  attachmentSchema,
  type ServerConfig,
  serverConfigSchema,
  type ServerRecord,
} from '#shared/vocabulary/server.ts';
import { countServers } from '#store/configuration/servers.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { assertMaySet } from '../people/admin-fields.ts';

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
    say('attached-to-nothing')`attachedTo must name an assistant or a topic.`,
    {
      hint: say('attached-to-hint')`Use {"assistant": id} or {"topic": id}.`,
    },
  );
}

/**
 * What a change makes of a config, still to be checked. In other hosts' words as well: a server that is to
 * be enabled must not stay disabled. Tools may be switched one by one.
 */
export function applyChange(config: ServerConfig, change: object): object {
  const { enabled, isActive, ...rest } = change as Record<string, unknown>;
  const on = enabled ?? isActive;
  const fields = typeof on === 'boolean' ? { disabled: !on, ...rest } : change;
  const { disabledTools } = rest;
  if (!isJsonObject(disabledTools)) return { ...config, ...fields };
  const isSwitched = Object.values(disabledTools).every((value) => typeof value === 'boolean');
  if (!isSwitched)
    throw new CeriseError(
      'invalid_server',
      say(
        'tools-switched-how',
      )`disabledTools must be a list of names, or an object that maps names to true or false.`,
    );
  const tools = listed(config.disabledTools ?? [], disabledTools as Record<string, boolean>);
  return { ...config, ...fields, disabledTools: tools };
}

/** Which bytes a server runs from is said by installing them, never by a field. */
export function assertNoBundle(input: unknown): void {
  if (!isJsonObject(input) || !('bundle' in input)) return;
  throw new CeriseError(
    'invalid_server',
    say('bundle-by-field')`The bundle of a server can't be set directly.`,
    { hint: say('bundle-by-field-hint')`Install the bundle instead.` },
  );
}

/** Throws `too_many_requests` where somebody would have too many servers with these. */
export async function assertRoom(tx: Db, owner: string, more: number, most: number): Promise<void> {
  if (more === 0 || (await countServers(tx, owner)) + more <= most) return;
  throw new CeriseError(
    'too_many_requests',
    say('servers-at-most')`You can add up to ${counted(most, 'server')}.`,
  );
}

/**
 * For everyone but admins: refuses what only admins may set, in the configs and beside them, and keeps
 * that on record.
 */
export async function assertMayKeep(
  store: Store,
  owner: string,
  records: readonly ServerRecord[],
  beside: { shared?: boolean } = {},
): Promise<void> {
  for (const { id, config } of records)
    try {
      assertMaySet(serverConfigSchema, config);
      assertMaySet(besideServerSchema, beside);
    } catch (error) {
      const { field } = (toErrorInfo(error).details ?? {}) as { field?: string };
      const details = { type: config.type, name: config.name, ...(field && { field }) };
      const refused = { owner, action: 'server.refused', subject: id, details };
      await store.transaction((tx) => insertAudit(tx, refused));
      throw error;
    }
}

/** The refusal to change a server that ships with Cerise. */
export function builtinOnly(): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('builtin-fixed')`Built-in servers can't be changed.`,
  );
}

/** What a launch is refused with that is not the one a person saw. */
export function launchChanged(): CeriseError {
  return new CeriseError(
    'launch_changed',
    say('server-not-shown')`The server has changed since it was shown.`,
    { hint: say('look-at-command')`Review its command again, then approve it.` },
  );
}
