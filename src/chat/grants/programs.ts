import { randomUUID } from 'node:crypto';
import { guardedFetch } from '#mcp/builtin/web/guarded-fetch.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isLoopback } from '#shared/text/loopback.ts';
import { isJsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Store } from '#store/database/store.ts';
import { findProgram, insertProgram } from '#store/people/programs.ts';
import { equalTokens, hashToken, newToken } from '../people/secret-token.ts';
import type { RegistrationThrottle } from '../people/sign-in-throttle.ts';
import { OAuthFailure } from './oauth-failure.ts';
import { type ProgramMetadata, readProgramMetadata } from './program-metadata.ts';

/** How much of a metadata document is read, and how long that can take. */
const documentBounds = { bytes: 16 * 1024, timeMs: 5000 };
const maxIdChars = 500;

/** A program that asks to be connected. Nobody has verified its name. */
export interface Program {
  id: string;
  name: string;
  redirectUris: readonly string[];
  /** The host of the document that describes it. */
  host?: string;
}

/** What a program authenticates with. */
export interface ProgramCredentials {
  id: string;
  secret?: string | undefined;
}

interface ProgramsDeps {
  store: Store;
  throttle: RegistrationThrottle;
  /** Private addresses that an admin allowed. */
  fetchAllow(): Promise<string[]>;
  limits: Pick<Limits, 'programRegistrations' | 'programRegistrationTime'>;
  now: () => number;
}

/** Programs that can be connected: those that registered, and those whose id is the URL of their metadata. */
export class Programs {
  readonly #deps: ProgramsDeps;

  constructor(deps: ProgramsDeps) {
    this.#deps = deps;
  }

  /** Anyone can register. The secret is returned once. Throws OAuthFailure, `too_many_requests`. */
  async register(
    document: unknown,
    address: string,
  ): Promise<ProgramMetadata & { id: string; secret?: string; createdAt: number }> {
    const { store, throttle, limits, now } = this.#deps;
    await throttle.enter(address);
    const metadata = readProgramMetadata(document);
    const { name, redirectUris, authMethod } = metadata;
    const id = randomUUID();
    const secret = authMethod === 'none' ? undefined : newToken();
    const createdAt = now();
    const room = { count: limits.programRegistrations, time: limits.programRegistrationTime };
    const program = { id, name, redirectUris, ...(secret && { secretHash: hashToken(secret) }) };
    await transactSerially(store, 'programs', (tx) => insertProgram(tx, program, room, createdAt));
    return { ...metadata, id, ...(secret && { secret }), createdAt };
  }

  /** The program of an id, or of a metadata document, which is fetched now. Throws CeriseError. */
  async find(id: string): Promise<Program> {
    if (isDocumentAddress(id)) return this.#read(id);
    const program = id.length > maxIdChars ? undefined : await findProgram(this.#deps.store.db, id);
    if (program) return program;
    throw new CeriseError(
      'invalid_request',
      say('program-unknown')`This program isn't registered here, or its registration has expired.`,
      {
        hint: say('program-unknown-hint')`Remove Cerise from the program, then add it again.`,
      },
    );
  }

  /** Throws OAuthFailure `invalid_client` for an unknown program, or a wrong secret if it has one. */
  async authenticate({ id, secret }: ProgramCredentials): Promise<void> {
    const isDocument = isDocumentAddress(id);
    const program = isDocument ? undefined : await findProgram(this.#deps.store.db, id);
    const hash = program?.secretHash;
    const isRight =
      hash === undefined ? secret === undefined : equalTokens(hash, hashToken(secret ?? ''));
    if ((isDocument || program) && isRight) return;
    throw new OAuthFailure(
      'invalid_client',
      'The program is not registered here, or its secret is wrong.',
    );
  }

  async #read(id: string): Promise<Program> {
    const { host } = new URL(id);
    const allow = await this.#deps.fetchAllow();
    const signal = AbortSignal.timeout(documentBounds.timeMs);
    const page = await guardedFetch({ url: id, allow, signal, most: documentBounds });
    const document = parseJson(new TextDecoder().decode(page.body));
    if (!isJsonObject(document) || document.client_id !== id || page.url !== id)
      throw unusable(host);
    try {
      const { name, redirectUris, authMethod } = readProgramMetadata({
        token_endpoint_auth_method: 'none',
        ...document,
      });
      if (authMethod === 'none') return { id, name, redirectUris, host };
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error;
    }
    throw unusable(host);
  }
}

/** Whether an id is the URL of a metadata document, in its normal form: otherwise several ids would be one program. */
function isDocumentAddress(id: string): boolean {
  const url = id.length > maxIdChars ? null : URL.parse(id);
  if (!url || url.href !== id || url.pathname === '/' || url.hash !== '') return false;
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

function unusable(host: string): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('program-document')`The program's metadata at ${host} is missing or invalid.`,
    { hint: say('program-document-hint')`Contact the program's developer.` },
  );
}
