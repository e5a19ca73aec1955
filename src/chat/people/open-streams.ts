import type { Store } from '#store/database/store.ts';
import { livingCredentials } from '#store/people/living-credentials.ts';
import type { Visitor } from './visitor.ts';

interface OpenStream {
  visitor: Visitor;
  end: () => void;
}

/** Streams that people hold open. Each ends with the credential it was opened with. */
export class OpenStreams {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #onEnd: () => void;
  readonly #streams = new Set<OpenStream>();

  /** `onEnd` is told when a credential was ended here: other hosts may have streams of it. */
  constructor(store: Store, now: () => number, onEnd: () => void) {
    this.#store = store;
    this.#now = now;
    this.#onEnd = onEnd;
  }

  /** `end` is called when the credential holds no longer. Returns what takes the stream out. */
  add(visitor: Visitor, end: () => void): () => void {
    const stream = { visitor, end };
    this.#streams.add(stream);
    return () => void this.#streams.delete(stream);
  }

  /** Ends the streams of a person, or those of one credential of theirs. */
  end(owner: string, credentialId?: string): void {
    this.#endThose(
      ({ visitor }) =>
        visitor.owner === owner &&
        (credentialId === undefined || visitor.credential.id === credentialId),
    );
    this.#onEnd();
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
