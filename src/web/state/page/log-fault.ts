import { CeriseError } from '#shared/errors/errors.ts';

/**
 * For what the page does in the background, with no one waiting. That the host is away, or the page about to be
 * left, is no fault: the line shows the one, and lists are read anew when it is back.
 */
export function logFault(error: unknown): void {
  if (error instanceof CeriseError && error.code === 'connection_lost') return;
  console.error(error);
}
