import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** The error for a server that a service does not have. */
export function noServer(id: string): CeriseError {
  return new CeriseError(
    'server_not_found',
    say('no-server-with-id')`There is no server with the ID ${id}.`,
  );
}

/** The error for whatever is asked of a service that was closed. */
export function shuttingDown(): CeriseError {
  return new CeriseError('shutting_down', say('shutting-down')`Cerise is shutting down.`);
}

/** For a service that was given no in-memory servers. */
export async function noBuiltin(name: string): Promise<never> {
  throw new CeriseError(
    'invalid_server',
    say('no-in-memory-server')`There is no in-memory server named ${name}.`,
  );
}
