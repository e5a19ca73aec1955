import type { JsonObject } from './json.ts';
import type { Origin } from './origin.ts';
import type { BlobRef } from './tool.ts';

/** A knowledge graph as the built-in memory server keeps it. */
export interface KnowledgeGraph {
  entities: { name: string; entityType: string; observations: string[] }[];
  relations: { from: string; to: string; relationType: string }[];
}

/** Where the built-in memory lives. `update` is atomic: nobody writes between read and write. */
export interface MemoryPort {
  read(): Promise<KnowledgeGraph>;
  /** Where the untrusted words in a part of the graph came from; empty if there are none. */
  originsOf(part: KnowledgeGraph): Promise<Origin[]>;
  /** `origins`: of the untrusted words that what is added may hold. */
  update(
    change: (graph: KnowledgeGraph) => KnowledgeGraph,
    origins?: readonly Origin[],
  ): Promise<KnowledgeGraph>;
}

/** Who wrote what is in the workspace. Keys are made of the words themselves. */
export interface ProvenancePort {
  /** No origins: nobody untrusted. No entry: nobody knows, which is untrusted too. */
  find(keys: readonly string[]): Promise<Map<string, Origin[]>>;
  /** Durable when it resolves; called before the words are written. */
  note(keys: readonly string[], origins: readonly Origin[]): Promise<void>;
}

/** Seals what must not be readable in the database. `context` binds a value to its place. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  /** Throws CeriseError `wrong_key` if the value was sealed elsewhere or with another key. */
  open(sealed: string, context: string): string;
}

/** A structured log line; secrets are redacted by the implementation. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Where one credential for an MCP server is kept. `name` tells several of a kind apart. */
export interface CredentialPlace {
  owner: string;
  serverId: string;
  kind: 'tokens' | 'client' | 'discovery' | 'pin' | 'flow';
  name: string;
}

/** Keeps what was agreed with authorization servers, unreadable with the database alone. */
export interface CredentialPort {
  /** Undefined also for what has run out. */
  read(place: CredentialPlace): Promise<JsonObject | undefined>;
  /** Replaces what was there; `expiresAt` is the moment after which it is no longer found. */
  write(place: CredentialPlace, value: JsonObject, expiresAt?: number): Promise<void>;
  /** Reads and removes in one step: of several takers exactly one gets it. */
  take(place: CredentialPlace): Promise<JsonObject | undefined>;
  /** The place of a flow, whose owner and server are not known when a browser comes back. */
  locateFlow(name: string): Promise<CredentialPlace | undefined>;
  list(of: Pick<CredentialPlace, 'owner' | 'serverId' | 'kind'>): Promise<CredentialPlace[]>;
  /** Removes all of a kind, or everything the owner has for the server. */
  remove(of: Pick<CredentialPlace, 'owner' | 'serverId'> & Partial<CredentialPlace>): Promise<void>;
  /** Runs `work` while nobody else works on the same owner and server. */
  exclusive<T>(of: Pick<CredentialPlace, 'owner' | 'serverId'>, work: () => Promise<T>): Promise<T>;
}

/** What is known of kept bytes. Ids are one owner's; the same bytes may have many. */
export interface StoredBlob extends BlobRef {
  hash: string;
  mimeType: string;
  name?: string;
  topicId?: string;
  /** Where untrusted words in it came from. */
  origins?: Origin[];
}

/** What a blob is kept as. Without topic, call and server it is an upload, which goes unless a message takes it. */
export interface BlobFacts {
  owner: string;
  topicId?: string;
  /** The tool call whose result it is, outside of any topic. */
  callId?: string;
  /** The server that runs from it, a bundle. */
  serverId?: string;
  mimeType: string;
  name?: string;
  /** Where untrusted words in it came from. */
  origins?: Origin[];
}

/** Keeps bytes by their content: the same bytes once, however often they are given. */
export interface BlobPort {
  /** Durable when it resolves. */
  keep(bytes: Uint8Array, facts: BlobFacts): Promise<StoredBlob>;
  find(owner: string, id: string): Promise<StoredBlob | undefined>;
  /** The bytes, or those from `start` to before `end`. */
  read(blob: Pick<StoredBlob, 'hash'>, range?: { start: number; end: number }): Promise<Buffer>;
}

const nothing = (): void => undefined;
/** Where nobody wants a log. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
