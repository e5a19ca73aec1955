import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** Work that is under way, for everyone who asked for it. */
interface Work {
  done: Promise<void>;
  end: AbortController;
  waiting: number;
}

/** One piece of work of a name at a time; it ends when everyone who waits for it has left. */
export class SharedWork {
  readonly #under = new Map<string, Work>();

  async join(
    name: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const joined = this.#under.get(name) ?? this.#start(name, work);
    joined.waiting += 1;
    const left = Promise.withResolvers<never>();
    const leave = () => {
      joined.waiting -= 1;
      if (joined.waiting === 0) joined.end.abort(signal.reason);
      left.reject(cancelled(signal.reason));
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([joined.done, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #start(name: string, work: (signal: AbortSignal) => Promise<void>): Work {
    const end = new AbortController();
    const done = work(end.signal).finally(() => this.#under.delete(name));
    const started = { done, end, waiting: 0 };
    this.#under.set(name, started);
    return started;
  }
}

function cancelled(cause: unknown): CeriseError {
  return new CeriseError('cancelled', say('request-cancelled')`The request was cancelled.`, {
    cause,
  });
}
