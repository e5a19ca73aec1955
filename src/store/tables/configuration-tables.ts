import type { Generated } from 'kysely';

export interface AssistantsTable {
  id: string;
  owner: string;
  name: string;
  system_prompt: string;
  model: string | null;
  parameters: string;
  mcp: string;
  created_at: number;
  updated_at: number;
}

export interface PolicyRulesTable {
  n: Generated<number>;
  id: string;
  owner: string;
  topic_id: string | null;
  action: string;
  source: string;
  /** What a call must be like, besides its topic. */
  conditions: string;
  note: string | null;
  created_at: number;
}

export interface ServersTable {
  id: string;
  owner: string;
  name: string;
  /** The config; values of `env` and `headers` are sealed. */
  config: string;
  approved_hash: string | null;
  /** What a session server is attached to; at most one of the two. */
  assistant_id: string | null;
  topic_id: string | null;
  /** 1: everybody on this host may use it. */
  shared: number;
  /** The entry of the catalogue that it came from, as JSON; null for all others. */
  installed_from: string | null;
  created_at: number;
  updated_at: number;
}

export interface InstallRequestsTable {
  id: string;
  owner: string;
  /** Which entry of the catalogue is asked for, as JSON. */
  entry: string;
  status: 'open' | 'approved' | 'denied';
  /** What was installed. */
  server_id: string | null;
  created_at: number;
  decided_at: number | null;
}

export interface ProvidersTable {
  id: string;
  owner: string;
  name: string;
  /** What its models are named by; null where an older program added it: its name. */
  slug: string | null;
  kind: string;
  /** Empty: the vendor's own. */
  base_url: string;
  /** Sealed. */
  api_key: string | null;
  models: string;
  /** 1: everybody on this host may use it. */
  shared: number;
  created_at: number;
}
