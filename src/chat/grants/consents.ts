import { randomUUIDv7 } from 'node:crypto';
import type { AuthorizationQuery, ConsentView } from '#shared/api/people-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { insertGrant, tidyGrants } from '#store/people/grants.ts';
import { touchProgram } from '#store/people/programs.ts';
import { hashToken, newToken } from '../people/secret-token.ts';
import { assertHolds, type Visitor } from '../people/visitor.ts';
import {
  type AuthorizationRequest,
  type OwnAddresses,
  readAuthorizationRequest,
} from './authorization-request.ts';
import type { Programs } from './programs.ts';
import { placeOf, redirectWith } from './redirect-uri.ts';

interface ConsentsDeps {
  store: Store;
  programs: Programs;
  limits: Pick<Limits, 'programCodeTime' | 'programsPerOwner'>;
  now: () => number;
}

/** A person's decision on a program that requests access. */
export interface ConsentDecision {
  decision: 'allow' | 'deny';
  /** Absent: everything that was requested. */
  servers?: ServerLimit[] | undefined;
  /** This host as an issuer. */
  issuer: string;
}

/** Requests of programs to be connected. Nothing is stored before a person allows one. */
export class Consents {
  readonly #deps: ConsentsDeps;

  constructor(deps: ConsentsDeps) {
    this.#deps = deps;
  }

  /** Throws CeriseError for a request that nobody can decide on. */
  async read(query: AuthorizationQuery, own: OwnAddresses): Promise<AuthorizationRequest> {
    return readAuthorizationRequest(query, await this.#deps.programs.find(query.client_id), own);
  }

  /** Records a decision; resolves to where the person's browser goes with it. Throws `forbidden` for keys. */
  async decide(
    visitor: Visitor,
    request: AuthorizationRequest,
    { decision, servers, issuer }: ConsentDecision,
  ): Promise<string> {
    assertPerson(visitor);
    const { redirectUri, state } = request;
    if (decision === 'deny')
      return redirectWith(redirectUri, { error: 'access_denied', state, iss: issuer });
    const code = newToken();
    await this.#keep(visitor, request, servers, hashToken(code));
    return redirectWith(redirectUri, { code, state, iss: issuer });
  }

  async #keep(
    visitor: Visitor,
    request: AuthorizationRequest,
    servers: ServerLimit[] | undefined,
    codeHash: string,
  ): Promise<void> {
    const { store, limits, now } = this.#deps;
    const { program, redirectUri, resource, challenge } = request;
    const { owner } = visitor;
    const at = now();
    const codeTime = limits.programCodeTime;
    const grant = {
      id: randomUUIDv7(),
      owner,
      programId: program.id,
      programName: program.name,
      redirectUri,
      resource,
      ...(servers && { servers }),
      challenge,
      createdAt: at,
      expiresAt: at + codeTime,
    };
    await transactSerially(store, `grants ${owner}`, async (tx) => {
      await assertHolds(tx, store.dialect, visitor, at);
      await tidyGrants(tx, owner, limits.programsPerOwner - 1, { now: at, codeTime });
      await insertGrant(tx, grant, codeHash);
      await touchProgram(tx, program.id, at);
      const details = {
        program: program.id,
        resource,
        ...(servers && { servers: servers.map(({ id }) => id) }),
      };
      await insertAudit(tx, { owner, action: 'grant.add', subject: grant.id, details }, at);
    });
  }
}

/** What a person sees before deciding. */
export function describeRequest(
  { program: { name, host }, redirectUri }: AuthorizationRequest,
  reach: Pick<ConsentView, 'server' | 'servers'>,
): ConsentView {
  return {
    program: { name, ...(host !== undefined && { host }) },
    ...placeOf(redirectUri),
    ...reach,
  };
}

/** A key must not connect programs, which could outlast it. Throws `forbidden`. */
function assertPerson({ credential }: Visitor): void {
  if (credential.kind === 'sign-in' || credential.kind === 'token') return;
  throw new CeriseError(
    'forbidden',
    say('consent-by-key')`Only a signed-in user can connect a program.`,
  );
}
