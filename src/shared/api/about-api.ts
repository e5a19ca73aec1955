import { z } from 'zod';

/** What this host is: the program, what it speaks, and where it keeps things. */
export const aboutSchema = z.object({
  version: z.string(),
  licence: z.string(),
  /** The versions of MCP it speaks, the newest first. */
  protocols: z.array(z.string()),
  database: z.enum(['sqlite', 'postgresql']),
  /** The version of Node it runs on. */
  node: z.string(),
  /** Told to admins. */
  dataFolder: z.string().optional(),
  /** What keeps the host from working now, as `/readyz` tells it; told to admins. */
  problems: z.array(z.object({ part: z.string(), message: z.string() })).optional(),
  /** How often the log told of each kind of trouble since the start; told to admins. */
  troubles: z
    .array(z.object({ code: z.string(), count: z.number(), lastAt: z.number() }))
    .optional(),
});
export type AboutView = z.infer<typeof aboutSchema>;
