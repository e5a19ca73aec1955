import { z } from 'zod';

const common = {
  name: z.string().trim().min(1).max(100),
  description: z.string().max(4096).optional(),
  disabled: z.boolean().optional(),
  /** Seconds a call may take in all; with `longRunning`, without progress. */
  timeout: z.number().positive().max(86_400).optional(),
  longRunning: z.boolean().optional(),
  disabledTools: z.array(z.string()).max(500).optional(),
  tags: z.array(z.string().max(50)).max(50).optional(),
  logo: z.string().max(65_536).optional(),
};
const text = z.string().max(32_768);
const headers = z.record(z.string(), text).optional();
const url = z.url({ protocol: /^https?$/ });

/** How to reach an MCP server. A union, so that illegal combinations cannot be written. */
export const serverConfigSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('stdio'),
    command: z.string().min(1).max(4096),
    args: z.array(text).max(500).default([]),
    env: z.record(z.string(), text).default({}),
    cwd: z.string().max(4096).optional(),
    registryUrl: url.optional(),
  }),
  z.strictObject({ ...common, type: z.literal('streamableHttp'), baseUrl: url, headers }),
  z.strictObject({ ...common, type: z.literal('sse'), baseUrl: url, headers }),
  /** `builtin` names one of the servers that ship with Cerise. */
  z.strictObject({ ...common, type: z.literal('inMemory'), builtin: z.string() }),
]);
export type ServerConfig = z.infer<typeof serverConfigSchema>;
export type StdioConfig = Extract<ServerConfig, { type: 'stdio' }>;

/** `draft` waits for a person to approve the exact command; `idle` connects on first use. */
export const serverStates = [
  'draft',
  'disabled',
  'idle',
  'connecting',
  'connected',
  'reconnecting',
  'needs-auth',
  'failed',
] as const;
export type ServerState = (typeof serverStates)[number];

/** A configured server with its identity and what was approved. */
export interface ServerRecord {
  id: string;
  owner: string;
  config: ServerConfig;
  /** The launch hash a person approved; absent for what was never approved. */
  approvedHash?: string;
  createdAt: number;
  updatedAt: number;
}

/** What changes what is run or reached: a change of any of it needs a new approval. */
export function launchFields(config: ServerConfig): unknown {
  switch (config.type) {
    case 'stdio':
      return [
        config.type,
        config.command,
        config.args,
        Object.entries(config.env).toSorted(([a], [b]) => (a < b ? -1 : 1)),
        config.cwd ?? null,
        config.registryUrl ?? null,
      ];
    case 'streamableHttp':
    case 'sse':
      return [
        config.type,
        config.baseUrl,
        Object.entries(config.headers ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ];
    case 'inMemory':
      return [config.type, config.builtin];
  }
}
