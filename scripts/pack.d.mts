/** The package.json of the package, as far as tests look at it. */
export function packedManifest(manifest: object): { name: string; engines: { node: string } };
/** Makes the package, and its archive in `target`. Resolves to the archive's path. */
export function pack(target?: string): Promise<string>;
