import { pino } from 'pino';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { Io } from './io.ts';

/** Structured lines on standard error. Which lines, and without which secrets, the host decides. */
export function createLogger({ log = createOutput() }: Io): Logger {
  return pino({ level: 'trace' }, log);
}

/**
 * Standard error, written beside the event loop. Where it goes may be full or gone: the lines of then are
 * lost, the next is tried again, and nothing waits for it or ends because of it.
 */
function createOutput(): { write(line: string): void } {
  let current: ReturnType<typeof pino.destination> | undefined;
  const open = () => {
    const made = pino.destination(2);
    made.on('error', () => {
      if (current === made) current = undefined;
      made.destroy();
    });
    return made;
  };
  return { write: (line) => void (current ??= open()).write(line) };
}
