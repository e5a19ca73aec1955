import type { Limits } from '#shared/vocabulary/limits.ts';
import type { McpContext } from './context.ts';
import type { Session } from './session.ts';

const sweepMs = 30_000;

type SessionLimits = Pick<Limits, 'mcpSessions' | 'mcpSessionsPerKey' | 'mcpSessionTime'>;

/**
 * The sessions of this host, within bounds: a new one beyond the limit of its key ends the key's longest idle one, and
 * beyond the limit of the host, that of the owner with the most.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #limits: SessionLimits;
  readonly #timer: NodeJS.Timeout;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
    this.#timer = setInterval(
      () => this.#sweep(),
      Math.min(sweepMs, limits.mcpSessionTime),
    ).unref();
  }

  add(session: Session): void {
    const { credential } = session.context.door.visitor;
    const own = [...this.#sessions.values()].filter(
      ({ context }) => context.door.visitor.credential.id === credential.id,
    );
    if (own.length >= this.#limits.mcpSessionsPerKey) this.end(longestIdle(own));
    if (this.#sessions.size >= this.#limits.mcpSessions)
      this.end(longestIdle(ofGreediest([...this.#sessions.values()], ownerOf)));
    this.#sessions.set(session.id, session);
  }

  /** A session of this visitor at this address; it takes over the request's context. */
  find(id: string, context: McpContext, path: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session?.isOf(context, path)) return undefined;
    session.context = context;
    session.usedAt = Date.now();
    return session;
  }

  end(session: Session | undefined): void {
    if (!session) return;
    this.#sessions.delete(session.id);
    session.end();
  }

  /** Streams end; running calls have until the end of the drain. */
  close(): void {
    clearInterval(this.#timer);
    for (const session of this.#sessions.values()) session.end(true);
    this.#sessions.clear();
  }

  #sweep(): void {
    const oldest = Date.now() - this.#limits.mcpSessionTime;
    for (const session of this.#sessions.values())
      if (session.isIdle && session.usedAt < oldest) this.end(session);
  }
}

const ownerOf = ({ context }: Session): string => context.door.visitor.owner;

/** Those of the owner who has the most. */
export function ofGreediest<T>(all: readonly T[], owner: (one: T) => string): T[] {
  const owned = Map.groupBy(all, owner).values();
  return owned.reduce((most, own) => (own.length > most.length ? own : most), []);
}

function longestIdle(sessions: readonly Session[]): Session | undefined {
  const idle = sessions.filter((session) => session.isIdle);
  return (idle.length > 0 ? idle : sessions).toSorted((a, b) => a.usedAt - b.usedAt)[0];
}
