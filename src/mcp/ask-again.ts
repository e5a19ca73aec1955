import { CeriseError } from '#shared/errors.ts';
import type { Connection } from './connection.ts';

/**
 * Asks over the open connection, and once more over a new one if the first was over without our
 * notice. Only for what may be asked twice: never for calls.
 */
export async function askAgain<T>(
  connect: () => Promise<Connection>,
  ask: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await ask(await connect());
  } catch (error) {
    if (!wasNotTaken(error)) throw error;
    return ask(await connect());
  }
}

/** Whether a request did not reach the server, or reached one that had forgotten us. */
function wasNotTaken(error: unknown): boolean {
  if (!(error instanceof CeriseError)) return false;
  return (error.details as { sent?: boolean } | undefined)?.sent === false;
}
