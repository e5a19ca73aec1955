import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { Stop } from '../protocol/stop.ts';

/**
 * The calls that run on one server, by their ids. A bare object instead of a Map, for the reason given
 * at InFlight.
 */
export class ServerCalls {
  readonly #calls = Object.create(null) as Record<string, Stop>;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** What calls it off. Throws CeriseError `conflict` while one of that id runs. */
  begin(callId: string): Stop {
    if (this.#calls[callId]) {
      throw new CeriseError(
        'conflict',
        say('call-runs-already')`A call with the ID ${callId} is already running.`,
      );
    }
    const stop = new Stop();
    this.#calls[callId] = stop;
    this.#size += 1;
    return stop;
  }

  end(callId: string): void {
    delete this.#calls[callId];
    this.#size -= 1;
  }

  /** Whether such a call was running. */
  abort(callId: string): boolean {
    const stop = this.#calls[callId];
    stop?.abort();
    return stop !== undefined;
  }

  abortAll(): void {
    for (const stop of Object.values(this.#calls)) stop.abort();
  }
}
