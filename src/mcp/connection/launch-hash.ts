import { hash } from 'node:crypto';
import { launchFields, type ServerConfig } from '#shared/vocabulary/server.ts';

/** The hash a person approves: equal exactly when what is run or reached is equal. */
export function launchHash(config: ServerConfig): string {
  return hash('sha256', JSON.stringify(launchFields(config)));
}
