/** Makes the package, and its archive in `target`. Resolves to the archive's path. */
export function pack(target?: string): Promise<string>;
