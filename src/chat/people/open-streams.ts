import type { Store } from '#store/database/store.ts';
import { livingCredentials } from '#store/people/living-credentials.ts';
import type { Signals } from '../topic/signals.ts';
import { assertLives, type Visitor } from './visitor.ts';

interface OpenStream {
  visitor: Visitor;
  end: () => void;
}

/** Streams that people hold open. Each ends with the credential it was opened with. */
export class OpenStreams {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #signals: Signals;
  readonly #streams = new Set<OpenStream>();

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

  /** Ends the streams of a person, or those of one credential of theirs. */
  end(owner: string, credentialId?: string): void {
    this.#endThose(
      ({ visitor }) =>
        visitor.owner === owner &&
        (credentialId === undefined || visitor.credential.id === credentialId),
    );
    // Other hosts may have streams of it.
    void this.#signals.tell('tell-changed', {});
  }

  /** Ends those whose credential has run out, or was ended on another host. */
  async check(): Promise<void> {
    const idsOf = (kind: Visitor['credential']['kind']): string[] => [
      ...new Set(
        [...this.#streams]
          .map(({ visitor }) => visitor.credential)
          .filter((credential) => credential.kind === kind)
          .map(({ id }) => id),
      ),
    ];
    const { db } = this.#store;
    const now = this.#now();
    const asked = { 'sign-in': idsOf('sign-in'), key: idsOf('key') };
    const living = {
      'sign-in': await livingCredentials(db, 'sign_ins', asked['sign-in'], now),
      key: await livingCredentials(db, 'api_keys', asked.key, now),
    };
    this.#endThose(({ visitor: { credential } }) => {
      const { kind, id } = credential;
      return kind !== 'token' && asked[kind].includes(id) && !living[kind].has(id);
    });
  }

  #endThose(isMeant: (stream: OpenStream) => boolean): void {
    for (const stream of [...this.#streams].filter(isMeant)) {
      this.#streams.delete(stream);
      stream.end();
    }
  }
}
