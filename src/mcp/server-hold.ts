import { CeriseError } from '#shared/errors.ts';
import type { ServerRecord, ServerState } from '#shared/server.ts';
import { launchHash } from './launch-hash.ts';

/** The state of a server nobody uses. A process starts only with the very command that was approved. */
export function restingState({
  config,
  approvedHash,
}: ServerRecord): 'disabled' | 'draft' | 'idle' {
  if (config.type === 'stdio' && approvedHash !== launchHash(config)) return 'draft';
  return config.disabled ? 'disabled' : 'idle';
}

/** Whether a server in this state must not be started. */
export function isHeld(state: ServerState): boolean {
  return state === 'draft' || state === 'disabled';
}

/** Why the server must not be started, if it must not. */
export function holdError(record: ServerRecord): CeriseError | undefined {
  const { name } = record.config;
  switch (restingState(record)) {
    case 'idle':
      return undefined;
    case 'disabled':
      return new CeriseError('server_disabled', `The server ${name} is disabled.`, {
        hint: 'Enable it to use its tools.',
      });
    case 'draft':
      return new CeriseError('server_not_approved', `The command of ${name} is not approved.`, {
        hint: 'Read the exact command and approve it, then it can start.',
        details: { launchHash: launchHash(record.config) },
      });
  }
}

/** What of a config must never be shown. */
export function secretsOf({ config }: ServerRecord): string[] {
  if (config.type === 'stdio') return Object.values(config.env);
  return config.type === 'inMemory' ? [] : Object.values(config.headers ?? {});
}
