import { z } from 'zod';
import { originSchema } from '../vocabulary/origin.ts';

const key = z.string().min(1).max(200);
const found = { key, origins: z.array(originSchema) };

/** What is kept of a person that an untrusted source said, or nobody knows who did. */
export const untrustedSchema = z.object({
  /** Entities, their observations and relations in the built-in memory. */
  memory: z.array(
    z.object({
      ...found,
      kind: z.enum(['entity', 'observation', 'relation']),
      name: z.string(),
      text: z.string(),
    }),
  ),
  /** Contents and names of files in the workspace. */
  files: z.array(z.object({ ...found, kind: z.enum(['content', 'name']), path: z.string() })),
  /** Trusted servers that were given untrusted words to keep; the key is the server's id. */
  servers: z.array(z.object({ ...found, name: z.string() })),
  /** False if there is more than is listed. */
  complete: z.boolean(),
});
export type UntrustedView = z.infer<typeof untrustedSchema>;

const keys = z.array(key).max(5000).default([]);

/** Which of it is trusted from now on: exactly the words that were looked at. */
export const trustSchema = z.strictObject({ memory: keys, files: keys, servers: keys });
export type Trust = z.infer<typeof trustSchema>;
