import { z } from 'zod';

const folderSchema = z.strictObject({
  path: z.string().min(1).max(4096),
  /** Absent: it may only be read. */
  write: z.boolean().optional(),
});

/**
 * What a local server may reach. `own` is the folder that Cerise gives it; `everything` is all of this
 * machine except Cerise's data folder.
 */
export const serverAccessSchema = z.strictObject({
  files: z.union([
    z.enum(['own', 'everything']),
    z.strictObject({ folders: z.array(folderSchema).min(1).max(50) }),
  ]),
  network: z.boolean(),
});
export type ServerAccess = z.infer<typeof serverAccessSchema>;
