import type { Store } from '#store/database/store.ts';
import { livingCredentials } from '#store/people/living-credentials.ts';
import type { Signals } from '../topic/signals.ts';
import { assertLives, credentialTables, type Visitor } from './visitor.ts';

const kinds = ['sign-in', 'key', 'grant'] as const;

interface OpenStream {
  visitor: Visitor;
  end: () => void;
}

/** Streams and long requests that people hold open. Each ends with the credential it was opened with. */
export class OpenStreams {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #signals: Signals;
  readonly #streams = new Set<OpenStream>();
  readonly #requests = new Set<OpenStream>();

  constructor(deps: { store: Store; signals: Signals; now: () => number }) {
    this.#store = deps.store;
    this.#signals = deps.signals;
    this.#now = deps.now;
  }

  /**
   * `end` is called when the credential holds no longer. Resolves to what takes the stream out. Throws
   * `unauthenticated` if it was ended since it was checked: the end did not reach this stream.
   */
  async add(visitor: Visitor, end: () => void): Promise<() => void> {
    const stream = { visitor, end };
    this.#streams.add(stream);
    const leave = (): void => void this.#streams.delete(stream);
    try {
      await assertLives(this.#store.db, visitor, this.#now());
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /**
   * The same for a request that may take long. Nothing is looked up for it: what was ended since it was checked is
   * found with the next check of all.
   */
  hold(visitor: Visitor, end: () => void): () => void {
    const request = { visitor, end };
    this.#requests.add(request);
    return () => void this.#requests.delete(request);
  }

  /** Of streams alone. */
  get size(): number {
    return this.#streams.size;
  }

  /** Ends the streams of a person, or those of one credential of theirs. Requests go on where theirs still holds. */
  end(owner: string, credentialId?: string): void {
    const isTheirs = ({ visitor }: OpenStream) =>
      visitor.owner === owner &&
      (credentialId === undefined || visitor.credential.id === credentialId);
    const isRequest = (stream: OpenStream) => this.#requests.has(stream);
    this.#endThose(
      (stream) => isTheirs(stream) && (credentialId !== undefined || !isRequest(stream)),
    );
    // What could not be looked up is with the next check of all.
    if ([...this.#requests].some(isTheirs)) this.check().catch(() => undefined);
    // Other hosts may have streams of it.
    void this.#signals.tell('tell-changed', {});
  }

  /** Ends those whose credential has run out, or was ended on another host. */
  async check(): Promise<void> {
    const now = this.#now();
    const credentials = this.#all().map(({ visitor }) => visitor.credential);
    for (const kind of kinds) {
      const ids = new Set(credentials.filter((each) => each.kind === kind).map(({ id }) => id));
      const living = await livingCredentials(this.#store.db, credentialTables[kind], [...ids], now);
      this.#endThose(
        ({ visitor: { credential } }) =>
          credential.kind === kind && ids.has(credential.id) && !living.has(credential.id),
      );
    }
  }

  #endThose(isMeant: (stream: OpenStream) => boolean): void {
    for (const stream of this.#all().filter(isMeant)) {
      this.#streams.delete(stream);
      this.#requests.delete(stream);
      stream.end();
    }
  }

  #all(): OpenStream[] {
    return [...this.#streams, ...this.#requests];
  }
}
