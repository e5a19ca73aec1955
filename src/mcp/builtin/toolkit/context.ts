import type { MemoryPort, ProvenancePort } from '#shared/vocabulary/ports.ts';

/** Which search engine the web-search server asks; `url` replaces the engine's own address. */
export interface WebSearchSettings {
  kind: 'searxng' | 'brave' | 'tavily';
  url?: string | undefined;
  apiKey?: string | undefined;
}

/** What the built-in servers may use of the host. */
export interface BuiltinContext {
  /** The folder the filesystem server is rooted in. */
  workspace: string;
  /** Who wrote what is in it. */
  provenance: ProvenancePort;
  memory: MemoryPort;
  /** `host` or `host:port` entries that fetch may reach although they are private. */
  fetchAllow(): Promise<string[]>;
  webSearch?(): Promise<WebSearchSettings | undefined>;
  now(): Date;
}
