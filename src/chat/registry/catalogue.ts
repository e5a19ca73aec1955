import type { Sandbox } from '#mcp/process/sandbox.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Store } from '#store/database/store.ts';
import type { Users } from '../people/users.ts';
import type { Bundles } from '../servers/bundles.ts';
import type { Servers } from '../servers/servers.ts';
import { InstallRequests } from './install-requests.ts';
import { Registries } from './registries.ts';
import { Registry } from './registry.ts';
import { ServerUpdates } from './server-updates.ts';

/** The catalogue of servers: its registries, its entries, updates, and install requests. */
export interface Catalogue {
  registries: Registries;
  registry: Registry;
  updates: ServerUpdates;
  requests: InstallRequests;
}

export function createCatalogue(deps: {
  store: Store;
  servers: Servers;
  sandbox: Pick<Sandbox, 'state'>;
  bundles: Bundles;
  users: Users;
  /** Private addresses that may be fetched from. */
  fetchAllow: () => Promise<readonly string[]>;
  emit: (owner: string, event: HostEvent) => void;
  limits: Limits;
  now: () => number;
}): Catalogue {
  const registries = new Registries(deps);
  const requests = new InstallRequests({ ...deps, registries });
  return {
    registries,
    requests,
    registry: new Registry({ ...deps, registries, requests }),
    updates: new ServerUpdates({ ...deps, registries }),
  };
}
