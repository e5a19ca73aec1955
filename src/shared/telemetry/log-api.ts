import { z } from 'zod';

/** How grave a line of the log is, from the least. */
export const hostLogLevels = ['debug', 'info', 'warn', 'error'] as const;
const levelSchema = z.enum(hostLogLevels);
export type HostLogLevel = z.infer<typeof levelSchema>;

/** A line of the log of one instance. */
const logLineSchema = z.object({
  /** Grows by one with every line of this instance since it started. */
  n: z.int(),
  at: z.number(),
  level: levelSchema,
  message: z.string(),
  /** Without secrets, as JSON. */
  fields: z.string().optional(),
});
export type HostLogLine = z.infer<typeof logLineSchema>;

/** Which lines are written on every instance, and until when. */
export const logLevelViewSchema = z.object({
  /** `silent` and `fatal` are levels that only the start can set. */
  level: z.string(),
  /** When the level of the start holds again; absent: it does. */
  until: z.number().optional(),
  /** The level of the start, `CERISE_LOG_LEVEL`. */
  usual: z.string(),
});
export type LogLevelView = z.infer<typeof logLevelViewSchema>;

/** The last lines of the instance that answers. */
export const hostLogSchema = logLevelViewSchema.extend({
  /** Every instance has its own log. */
  instance: z.object({ id: z.string(), host: z.string(), pid: z.int() }),
  lines: z.array(logLineSchema),
});
export type HostLogView = z.infer<typeof hostLogSchema>;

export const hostLogQuerySchema = z.object({
  /** Only lines of this level or graver. */
  level: levelSchema.optional(),
  /** Only lines with this text. */
  text: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
});

export const hostLogEventsQuerySchema = z.object({
  /** The id of the last event that came. */
  after: z.string().max(200).optional(),
});

/** Null: the level of the start. */
export const setLogLevelSchema = z.object({ level: levelSchema.nullable() });

/** What the stream of the log brings: at its start all that is there, or what came since; then what is new. */
export type HostLogEvent = { log: HostLogView } | { line: HostLogLine } | { level: LogLevelView };
