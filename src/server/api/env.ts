import type { Visitor } from '#chat/people/visitor.ts';

/** What a request carries once it was let in. */
export interface Env {
  Variables: { owner: string; visitor: Visitor; reach: Reach };
  Bindings: Peer;
}

/** Who is at the other end of the connection. */
export interface Peer {
  address?: string | undefined;
  /** Told who showed who they are: such connections are kept when there are too many. */
  signedIn?: ((owner: string) => void) | undefined;
}

/** How a request reached us: from which address, and whether the person's browser spoke https. */
export interface Reach {
  address: string;
  https: boolean;
}
