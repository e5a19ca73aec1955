import type { Connection } from './connection.ts';
import { SessionLost } from './protocol/channel.ts';
import { wasOver } from './send-call.ts';

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
