import { z } from 'zod';

/** Names one way to run one version of an entry of the catalogue. */
export const catalogueWaySchema = z.strictObject({
  /** The id of the registry. */
  registry: z.string().min(1).max(100),
  name: z.string().min(1).max(500),
  version: z.string().max(256),
  /** Which of its packages and addresses, such as `packages[0]`. */
  place: z.string().min(1).max(200),
});
export type CatalogueWay = z.infer<typeof catalogueWaySchema>;

/** The entry of the catalogue that a server was installed from. */
export const installedFromSchema = catalogueWaySchema.extend({
  /**
   * What the entry said would be run or reached, with its questions still in place: from it an update reads back what
   * was answered. Public words only.
   */
  fields: z.record(z.string(), z.json()),
  /** The package without its version, or the origin: only to the same one are answers taken along. */
  target: z.string().max(2000),
});
export type InstalledFrom = z.infer<typeof installedFromSchema>;
