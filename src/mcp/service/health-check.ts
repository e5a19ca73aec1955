import { CeriseError, wordsOf } from '#shared/errors/errors.ts';
import { isMachineFull } from '#shared/errors/machine-full.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Connection } from '../connection/connection.ts';

const intervalMs = 30_000;
/** A busy machine may miss one; two in a row are a server that does not answer. */
const mostMisses = 2;

/** Whether nobody is there any more, which one question is enough for. */
export function isGone(error: unknown): error is CeriseError {
  if (!(error instanceof CeriseError) || isMachineFull(error.cause)) return false;
  return error.code === 'connection_refused' || error.code === 'connection_lost';
}

/**
 * Asks an open connection now and then whether its server still answers. One that never answered such a
 * question is left alone: there are servers that work and do not know it.
 */
export class HealthCheck {
  readonly #deps: {
    busy: () => boolean;
    onDead: (connection: Connection, error: CeriseError) => void;
  };
  #timer: NodeJS.Timeout | undefined;

  /** A server that is `busy` with calls is not asked: the calls have their own limits. */
  constructor(deps: {
    busy: () => boolean;
    onDead: (connection: Connection, error: CeriseError) => void;
  }) {
    this.#deps = deps;
  }

  watch(connection: Connection): void {
    this.stop();
    if (connection.kind === 'inMemory') return;
    let misses = 0;
    let answersPings = false;
    const timer = setInterval(() => {
      if (this.#deps.busy()) return;
      connection.ping().then(
        () => {
          answersPings = true;
          misses = 0;
        },
        (error: unknown) => {
          misses += 1;
          if (this.#timer !== timer) return;
          if (!isGone(error) && (!answersPings || misses < mostMisses)) return;
          this.stop();
          this.#deps.onDead(connection, toDeath(error));
        },
      );
    }, intervalMs);
    timer.unref();
    this.#timer = timer;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function toDeath(error: unknown): CeriseError {
  return new CeriseError(
    'connection_lost',
    say('server-silent')`The server stopped responding: ${wordsOf(error)}`,
    {
      cause: error,
    },
  );
}
