/** The changelog with what was unreleased under its version and date, and that part alone. */
export function releaseNotes(
  changelog: string,
  version: string,
  date: string,
): { notes: string; changelog: string };
/** What was built into the page, as `name@version`, from the licenses that lie beside it. */
export function builtInto(licenses: string): string[];
/** CycloneDX of what the package installs and of what was built into its page, from the lock file. */
export function billOfMaterials(
  manifest: object,
  lock: object,
  built?: readonly string[],
): {
  bomFormat: string;
  components: { name: string; purl: string; hashes?: object[]; scope?: string }[];
};
