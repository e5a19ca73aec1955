import { z } from 'zod';

/** A value that a person entered for a bundle. */
export const bundleValueSchema = z.union([
  z.string().max(32_768),
  z.number(),
  z.boolean(),
  z.array(z.string().max(32_768)).max(100),
]);
export type BundleValue = z.infer<typeof bundleValueSchema>;

/** The bundle that a server runs from. `${…}` in its command, arguments, variables and folder stand for parts of it. */
export const serverBundleSchema = z.strictObject({
  /** SHA-256 of the bytes. */
  hash: z.string().min(1).max(64),
  name: z.string().min(1).max(200),
  version: z.string().max(100),
  /** Who says to have made it; nobody has verified that. */
  publisher: z.string().max(200),
  /** Its settings; those that are secret are apart. */
  values: z.record(z.string(), bundleValueSchema),
  secrets: z.record(z.string(), z.string().max(32_768)),
});
export type ServerBundle = z.infer<typeof serverBundleSchema>;

/** What of a bundle determines what is run; nothing for a server without one. */
export function bundleFields(bundle: ServerBundle | undefined): unknown[] {
  if (!bundle) return [];
  return [['bundle', bundle.hash, sorted(bundle.values), sorted(bundle.secrets)]];
}

function sorted(fields: object): [string, unknown][] {
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
