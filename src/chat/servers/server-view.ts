import type { ServerStatus } from '#mcp/service/server-status.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { CatalogueWay } from '#shared/vocabulary/server/installed-from.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { withoutAddress, withoutSecrets } from './server-secrets.ts';

/** A server as it is shown; to people who only use it, without how it is run or reached. */
export function toServerView(
  record: ServerRecord,
  { toolCount, ...status }: ServerStatus & { toolCount?: number | undefined },
  launchHash: string,
  readOnly: boolean,
): ServerView {
  const { id, config, attachedTo, shared, installedFrom } = record;
  const { state, reason, reasonSaid, reasonCode, since, retryAt, output, fix } = status;
  return {
    id,
    name: config.name,
    type: config.type,
    state,
    ...(reason && { reason }),
    ...(reasonSaid && { reasonSaid }),
    ...(reasonCode && { reasonCode }),
    since,
    ...(retryAt && { retryAt }),
    ...(output && !readOnly && { output }),
    ...(fix && !readOnly && { fix }),
    builtin: config.type === 'inMemory',
    ...(attachedTo && { attachedTo }),
    ...(shared && { shared: true }),
    ...(installedFrom && !readOnly && { installedFrom: wayOf(installedFrom) }),
    ...(toolCount !== undefined && { toolCount }),
    ...(readOnly && { readOnly }),
    launchHash: readOnly ? '' : launchHash,
    config: readOnly ? withoutAddress(config) : withoutSecrets(config),
  };
}

function wayOf({ registry, name, version, place }: CatalogueWay): CatalogueWay {
  return { registry, name, version, place };
}
