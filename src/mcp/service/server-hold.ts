import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { fieldName, markedFields } from '#shared/vocabulary/field-marks.ts';
import {
  type ServerConfig,
  serverConfigSchema,
  type ServerRecord,
  type ServerState,
} from '#shared/vocabulary/server.ts';
import { launchHash } from '../connection/launch-hash.ts';

/**
 * The state of a server nobody uses. What runs a command, or reads a file of this machine to prove who
 * we are, starts only with the very config that was approved.
 */
export function restingState(record: ServerRecord): 'disabled' | 'draft' | 'idle' {
  const { config, approvedHash } = record;
  if (needsApproval(config) && approvedHash !== launchHash(config)) return 'draft';
  if (adminField(record) !== undefined) return 'draft';
  return config.disabled ? 'disabled' : 'idle';
}

/**
 * What only an admin may set, in a server of somebody who is none: they were one when they set it. Private
 * addresses are judged when they are connected to.
 */
function adminField({ config, publicOnly }: ServerRecord): string | undefined {
  if (!publicOnly || config.type === 'inMemory') return undefined;
  const found = markedFields(serverConfigSchema, config).find(
    ({ adminOnly }) => adminOnly !== undefined && adminOnly !== 'private-address',
  );
  return found && fieldName(found);
}

function needsApproval(config: ServerConfig): boolean {
  if (config.type === 'stdio') return true;
  const auth = 'auth' in config ? config.auth : undefined;
  return auth?.grant === 'workload' && auth.assertionFile !== undefined;
}

/** Whether a server in this state must not be started. */
export function isHeld(state: ServerState): boolean {
  return state === 'draft' || state === 'disabled';
}

/** Why the server must not be started, if it must not. */
export function holdError(record: ServerRecord): CeriseError | undefined {
  const { name } = record.config;
  const field = adminField(record);
  if (field !== undefined)
    return new CeriseError(
      'admin_only',
      say('held-admin')`${name} can't start: only an admin can set ${field}.`,
      {
        hint: say('held-admin-hint')`Remove ${field} from its settings, or ask an admin to set it.`,
        details: { field },
      },
    );
  switch (restingState(record)) {
    case 'idle':
      return undefined;
    case 'disabled':
      return new CeriseError(
        'server_disabled',
        say('server-is-disabled')`The server ${name} is disabled.`,
        {
          hint: say('next-disabled')`Enable it to use its tools.`,
        },
      );
    case 'draft':
      return new CeriseError(
        'server_not_approved',
        say('command-not-approved')`The command of ${name} hasn't been approved.`,
        {
          hint: say('command-not-approved-hint')`Review the exact command and approve it.`,
          details: { launchHash: launchHash(record.config) },
        },
      );
  }
}
