import type { ServerView } from '#shared/api/api.ts';
import { loadServers } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { showFailure } from '../../../ui/notices/notices.ts';

/** Lets servers run or be reached, each exactly as it was shown, and connects them. */
export async function allowServers(servers: readonly ServerView[]): Promise<void> {
  try {
    for (const server of servers) await allow(server);
    for (const { id } of servers) api.servers.act(id, 'connect').catch(() => undefined);
  } finally {
    await loadServers().catch(showFailure);
  }
}

/** A command is approved as it was shown; what is only reached is switched on. */
function allow({ id, state, launchHash }: ServerView): Promise<ServerView> {
  return state === 'draft'
    ? api.servers.approve(id, launchHash)
    : api.servers.update(id, { disabled: false });
}
