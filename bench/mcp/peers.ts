import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedPackage } from '../../test/npm-cache.ts';

/** Clients of others that Cerise does not depend on; they are installed when first measured. */
const versions = { '@modelcontextprotocol/sdk': '1.32.2', '@ai-sdk/mcp': '2.0.93' } as const;
type Peer = keyof typeof versions;

/** Whether a peer can be measured; where not, a line says so. */
export async function hasPeer(peer: Peer): Promise<boolean> {
  return (await cachedPackage(peer, versions[peer])) !== undefined;
}

/** A module of a peer, in the shape that is asked for. */
export async function importPeer<T>(peer: Peer, path = ''): Promise<T> {
  const folder = await cachedPackage(peer, versions[peer]);
  if (folder === undefined) throw new Error(`${peer} is not installed.`);
  const resolve = createRequire(join(folder, 'package.json')).resolve;
  return (await import(pathToFileURL(resolve(`${peer}${path}`)).href)) as T;
}
