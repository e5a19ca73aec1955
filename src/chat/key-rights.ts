import type { ServerView } from '#shared/api.ts';
import { CeriseError } from '#shared/errors.ts';
import type { HostEvent } from '#shared/event.ts';
import type { Decision } from '#shared/policy-api.ts';
import { say, type Words } from '#shared/sentence.ts';
import type { ServerConfig, ServerRecord } from '#shared/server.ts';
import { allowsServer, allowsTool, allowsWhole, type Within } from '#shared/server-limit.ts';
import { serverNotFound } from './loaded-servers.ts';
import { withoutAddress } from './server-secrets.ts';
import type { Servers } from './servers.ts';
import type { Visitor } from './visitor.ts';

/** What whoever asks is limited to; undefined for all but keys that were made so. */
export function withinOf({ credential }: Visitor): Within {
  return credential.kind === 'key' ? credential.within : undefined;
}

/**
 * A server that a key may use: anything of it, all of it, or one tool. One it is not limited to is as one
 * that is not there. Throws `server_not_found`, `forbidden`.
 */
export function serverFor(
  servers: Pick<Servers, 'usable'>,
  visitor: Visitor,
  serverId: string,
  use: 'anything' | 'all' | { tool: string } = 'anything',
): ServerRecord {
  const record = servers.usable(visitor.owner, serverId);
  const within = withinOf(visitor);
  if (!allowsServer(within, record.id)) throw serverNotFound();
  if (use === 'anything') return record;
  const isAllowed =
    use === 'all' ? allowsWhole(within, record.id) : allowsTool(within, record.id, use.tool);
  if (isAllowed) return record;
  throw forbidden(say('key-other-tools')`This key is limited to other tools of this server.`);
}

/** Throws `forbidden` for a call of a tool that the key may not use. */
export function assertMayDecide(
  visitor: Visitor,
  { serverId, toolName }: { serverId: string; toolName: string },
): void {
  if (allowsTool(withinOf(visitor), serverId, toolName)) return;
  throw forbidden(say('key-other-servers')`This key is limited to other servers and tools.`);
}

/** Only a key for everything writes rules: with any other, a decision is for one call. Throws `forbidden`. */
export function assertMayRemember(visitor: Visitor, { scope }: Pick<Decision, 'scope'>): void {
  if (scope === 'once' || isFull(visitor)) return;
  throw forbidden(
    say('key-once')`This key may decide on one call at a time, not for later ones.`,
    say('key-once-hint')`Send the scope once, or use a key with the scope admin.`,
  );
}

/** A server as whoever asks may see it: how it is run and reached is for keys with all rights alone. */
export function shownTo(visitor: Visitor, view: ServerView): ServerView {
  if (isFull(visitor)) return view;
  return { ...view, launchHash: '', config: withoutAddress(view.config as ServerConfig) };
}

/** Whether an event of the host is about nothing that the key of whoever listens may not use. */
export function mayHear(visitor: Visitor, event: HostEvent): boolean {
  return !('serverId' in event) || allowsServer(withinOf(visitor), event.serverId);
}

function isFull({ credential }: Visitor): boolean {
  return credential.kind !== 'key' || credential.scopes.includes('admin');
}

function forbidden(message: Words, hint?: Words): CeriseError {
  return new CeriseError('forbidden', message, {
    hint: hint ?? say('key-scope-hint')`Make another key in Settings → Account.`,
  });
}
