import type { Generated } from 'kysely';

interface UsageNumbers {
  failed: number;
  input: number;
  cached: number;
  output: number;
  reasoning: number;
  cost: number;
  estimated: number;
}

export interface UsageChangesTable extends UsageNumbers {
  id: Generated<number>;
  owner: string;
  kind: 'call' | 'answer';
  /** The beginning of its quarter of an hour. */
  at: number;
  /** The server or the model. */
  subject: string;
  tool: string;
  /** Of the server. */
  name: string;
  sign: number;
  ms: number;
}

export interface UsageSumsTable extends UsageNumbers {
  owner: string;
  /** `quarter` and `day` (of Greenwich) by server, tool and model; `all` of a quarter together. */
  grain: 'quarter' | 'day' | 'all';
  kind: 'call' | 'answer';
  at: number;
  subject: string;
  tool: string;
  name: string;
  n: number;
  /** How many took how long: see `duration-histogram.ts`. */
  times: string;
}

export interface StorageSumsTable {
  owner: string;
  messages: number;
  bytes: number;
  files: number;
  file_bytes: number;
}
