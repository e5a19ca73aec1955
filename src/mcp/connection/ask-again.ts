import { CeriseError } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { SessionLost } from '../protocol/channel.ts';
import { pause } from '../protocol/pause.ts';
import type { Connection } from './connection.ts';

const pausesMs = [250, 1000];

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

/** Asks again, after a while, what a server in trouble could not answer. Only for what may be asked twice. */
export async function askPatiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await ask();
    } catch (error) {
      if (!isTrouble(error)) throw error;
      await pause(pauseMs);
    }
  }
  return ask();
}

/** The server, or what stands before it, says that it may be different in a moment. */
function isTrouble(error: unknown): boolean {
  if (!(error instanceof CeriseError)) return false;
  const { status, code } = (error.details ?? {}) as { status?: number; code?: number };
  if (error.code === 'protocol_error') return code === rpcCode.internalError;
  if (error.code !== 'http_error' || status === undefined) return false;
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

/** The server does not know our session any more and so has not carried out the request. */
export function wasForgotten(error: unknown): boolean {
  return error instanceof SessionLost && error.reach === 'never-left';
}

/** The connection was over before the request; a call that left is never sent again. */
export function wasOver(error: unknown): boolean {
  return didNotLeave(error) && error.code === 'connection_lost';
}

/** Whether a request certainly was not carried out. */
export function didNotLeave(error: unknown): error is CallError {
  return error instanceof CallError && error.reach === 'never-left';
}
