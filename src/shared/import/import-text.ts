import type { JsonObject } from '../vocabulary/json.ts';

/** One server of an imported text, not judged yet. */
export interface ImportEntry {
  /** Where it stands, as a path into the text. */
  place: string;
  name: string;
  fields: JsonObject;
  /** It is a bundle to be fetched, instead of fields; the hash may be empty. */
  bundle?: { url: string; sha256: string };
  /** A kind of package that nothing here can run. */
  unsupported?: string;
}

/** What a person pasted: servers, and the questions VS Code declares for them. */
export interface ImportText {
  entries: ImportEntry[];
  inputs: unknown[];
}
