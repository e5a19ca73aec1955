import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** Work that runs for everyone who asked for it. */
interface Work {
  done: Promise<void>;
  end: AbortController;
  waiting: number;
}

/** Runs the work of one name once for all who ask for it; it is aborted when the last of them leaves. */
export class SharedWork {
  readonly #running = new Map<string, Work>();

  async join(
    name: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (signal.aborted) throw cancelled(signal.reason);
    const joined = this.#running.get(name) ?? this.#start(name, work);
    joined.waiting += 1;
    const left = Promise.withResolvers<never>();
    const leave = () => {
      joined.waiting -= 1;
      if (joined.waiting === 0) this.#abort(name, joined, signal.reason);
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
    const started: Work = {
      done: work(end.signal).finally(() => this.#forget(name, started)),
      end,
      waiting: 0,
    };
    this.#running.set(name, started);
    return started;
  }

  /** It may take a while to end: anyone who comes meanwhile starts anew. */
  #abort(name: string, work: Work, reason: unknown): void {
    this.#forget(name, work);
    work.end.abort(reason);
  }

  #forget(name: string, work: Work): void {
    if (this.#running.get(name) === work) this.#running.delete(name);
  }
}

function cancelled(cause: unknown): CeriseError {
  return new CeriseError('cancelled', say('request-cancelled')`The request was cancelled.`, {
    cause,
  });
}
