import { CallError } from '#shared/vocabulary/call-error.ts';
import { SessionLost } from '../protocol/channel.ts';
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
    if (!wasOver(error) && !(error instanceof SessionLost)) throw error;
    return ask(await connect());
  }
}

/** The connection was over before the request; a call that left is never sent again. */
export function wasOver(error: unknown): boolean {
  return didNotLeave(error) && error.code === 'connection_lost';
}

/** Whether a request certainly was not carried out. */
export function didNotLeave(error: unknown): error is CallError {
  return error instanceof CallError && error.reach === 'never-left';
}
