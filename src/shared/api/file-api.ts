import { z } from 'zod';

/** Schemas of files as clients send and get them. */

export const uploadQuerySchema = z.object({ name: z.string().max(1000).optional() });
export const fileSchema = z.object({
  id: z.string(),
  size: z.int(),
  mimeType: z.string(),
  name: z.string().optional(),
  url: z.string(),
});
export const blobQuerySchema = z.object({ download: z.string().optional() });
export const pictureQuerySchema = z.object({ url: z.string().min(1).max(8192) });
