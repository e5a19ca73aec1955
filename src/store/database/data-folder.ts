import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the data folder, for its owner only, with the folders above it. One by one: Node's recursive
 * way never returns below a folder that refuses, such as /proc.
 */
export function makeDataFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeDataFolder(above);
  mkdirSync(path, { mode: 0o700 });
}
