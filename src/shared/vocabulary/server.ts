import { z } from 'zod';
import { variableName } from '../text/variables.ts';
import { adminOnly, notImported } from './field-marks.ts';
import { accessFields } from './server-access.ts';
import { serverAuthSchema } from './server-auth.ts';
import { serverAccessSchema } from './server/access-schema.ts';
import type { InstalledFrom } from './server/installed-from.ts';
import { bundleFields, serverBundleSchema } from './server/server-bundle.ts';

/** How much a server is asked to log, from most to least (RFC 5424). */
const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

const toolNames = z.array(z.string().min(1).max(256)).max(500);

const common = {
  name: z.string().trim().min(1).max(100),
  description: z.string().max(4096).optional(),
  disabled: z.boolean().optional(),
  /** Seconds a call may take in all; with `longRunning`, without progress. */
  timeout: z.number().positive().max(86_400).optional(),
  longRunning: z.boolean().optional(),
  /** Seconds a `longRunning` call may take in all; ten minutes if unset. */
  totalTimeout: z.number().positive().max(86_400).optional(),
  disabledTools: toolNames.optional(),
  /** Tools that run without asking; `*` means all of them. */
  autoApprove: notImported(toolNames).optional(),
  tags: z.array(z.string().max(50)).max(50).optional(),
  logo: z.string().max(65_536).optional(),
  /** Folders of this machine that the server is told it may work in. */
  roots: adminOnly(
    notImported(z.array(z.string().min(1).max(4096)).max(50)),
    'host-file',
  ).optional(),
  /** Programs that use the server through Cerise tell it their folders instead; see `roots`. */
  callerRoots: adminOnly(notImported(z.boolean()), 'host-file').optional(),
  logLevel: z.enum(logLevels).optional(),
};
const text = z.string().max(32_768);
const headers = z.record(z.string(), text).optional();
/** Values for `${secret:NAME}` in the other fields; see variables.ts. */
const secrets = z.record(z.string().regex(variableName), text);
const url = z.url({ protocol: /^https?$/ }).max(10_000);
const address = {
  baseUrl: adminOnly(url, 'private-address'),
  headers,
  secrets: secrets.optional(),
  auth: serverAuthSchema.optional(),
};

/** How to reach an MCP server. A union, so that illegal combinations cannot be written. */
export const serverConfigSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('stdio'),
    command: adminOnly(z.string().min(1).max(4096), 'command'),
    args: adminOnly(z.array(text).max(500), 'command').default([]),
    env: adminOnly(z.record(z.string(), text), 'command').default({}),
    secrets: adminOnly(secrets, 'command').optional(),
    cwd: adminOnly(z.string().max(4096), 'command').optional(),
    registryUrl: adminOnly(url, 'command').optional(),
    /** What it may reach; absent: everything except Cerise's data folder. */
    access: adminOnly(notImported(serverAccessSchema), 'command').optional(),
    /** Seconds until its first response; for a command that downloads first, without a sign of work. */
    startTimeout: z.number().positive().max(86_400).optional(),
    /** The bundle that it was installed from. */
    bundle: adminOnly(notImported(serverBundleSchema), 'command').optional(),
  }),
  z.strictObject({ ...common, ...address, type: z.literal('streamableHttp') }),
  z.strictObject({ ...common, ...address, type: z.literal('sse') }),
  /** `builtin` names one of the servers that ship with Cerise. */
  z.strictObject({ ...common, type: z.literal('inMemory'), builtin: z.string() }),
]);
/** How a server is run or reached. */
export type ServerConfig = z.infer<typeof serverConfigSchema>;
/** The same as a program writes it: what has a default may be left out. */
export type ServerConfigInput = z.input<typeof serverConfigSchema>;
export type StdioConfig = Extract<ServerConfig, { type: 'stdio' }>;

/** `draft` waits for a person to approve the exact command; `idle` connects on first use; `installing` downloads what it runs. */
export const serverStates = [
  'draft',
  'disabled',
  'idle',
  'installing',
  'connecting',
  'connected',
  'reconnecting',
  'needs-auth',
  'failed',
] as const;
/** Where a server stands. */
export type ServerState = (typeof serverStates)[number];

/** A change of its config that would fix a server which does not start. */
export const serverFixSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('variable'), name: z.string() }),
  /** What `${secret:NAME}` stands for. */
  z.object({ kind: z.literal('secret'), name: z.string() }),
  /** It speaks HTTP at this address. */
  z.object({ kind: z.literal('address'), url: z.string() }),
  /** One argument, as it should be. */
  z.object({ kind: z.literal('argument'), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('header'), name: z.string() }),
  /** It may use the network. */
  z.object({ kind: z.literal('network') }),
]);
export type ServerFix = z.infer<typeof serverFixSchema>;

/** What a session server lives with: every topic of an assistant, or one topic. */
export const attachmentSchema = z.union([
  z.strictObject({ assistant: z.string().min(1).max(200) }),
  z.strictObject({ topic: z.string().min(1).max(200) }),
]);
/** The conversation or the assistant that a server lives with. */
export type Attachment = z.infer<typeof attachmentSchema>;

/** Whether two servers are available in the same place; undefined stands for everywhere. */
export function isSamePlace(one: Attachment | undefined, other: Attachment | undefined): boolean {
  if (!one || !other) return one === other;
  return 'topic' in one
    ? 'topic' in other && one.topic === other.topic
    : 'assistant' in other && one.assistant === other.assistant;
}

/** A server with its identity and what was approved. */
export interface ServerRecord {
  id: string;
  owner: string;
  config: ServerConfig;
  /** Present for a session server: only the topics it is attached to may use it. */
  attachedTo?: Attachment;
  /** An admin lets everybody on the host use it. */
  shared?: boolean;
  /**
   * Its owner is no admin: it must be on the public internet, whatever its address says, and does not
   * start with what only admins may set.
   */
  publicOnly?: true;
  /** Absent unless it was installed from the catalogue; nothing that anybody sends sets it. */
  installedFrom?: InstalledFrom;
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
        sorted(config.env),
        config.cwd ?? null,
        config.registryUrl ?? null,
        ...named(config.secrets),
        ...accessFields(config.access),
        ...bundleFields(config.bundle),
      ];
    case 'streamableHttp':
    case 'sse':
      return [
        config.type,
        config.baseUrl,
        sorted(config.headers ?? {}),
        ...(config.auth ? [sorted(config.auth)] : []),
        ...named(config.secrets),
      ];
    case 'inMemory':
      return [config.type, config.builtin];
  }
}

/** Only where there are some: what was approved before there were any stays approved. */
function named(secrets: Record<string, string> | undefined): unknown[] {
  return secrets && Object.keys(secrets).length > 0 ? [{ secrets: sorted(secrets) }] : [];
}

function sorted(fields: object): [string, unknown][] {
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
