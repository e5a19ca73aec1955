import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { ServerMark } from '../../features/tools/call/server-mark.tsx';
import { useServerText } from '../../state/catalog/use-tool-text.ts';
import { StateDot, useStateLabel } from '../../ui/layout/state-dot.tsx';
import { TimeAgo } from '../../ui/text/time-ago.tsx';
import { useMinute } from '../../ui/text/use-minute.ts';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import { usePlaceName } from './edit/use-place-name.ts';

/** How a server is reached, in a word. */
const kinds: Record<ServerView['type'], string> = {
  stdio: 'stdio',
  streamableHttp: 'HTTP',
  sse: 'SSE',
  inMemory: '',
};

const hourMs = 3_600_000;

/** A server in a line: its mark, name, state, kind and description. */
export function ServerHeadline({ server }: { server: ServerView }): ReactElement {
  const { description: given = '' } = server.config as { description?: string };
  const description = useServerText(server, given);
  return (
    <>
      <ServerMark serverId={server.id} serverName={server.name} />
      <span className="min-w-0">
        <span className="block font-medium break-words sm:truncate">
          <VisibleText text={server.name} />
        </span>
        <Facts server={server} />
        {description !== '' && (
          <span className="mt-0.5 line-clamp-2 text-xs sm:line-clamp-1 break-words text-muted">
            <VisibleText text={description} />
          </span>
        )}
      </span>
    </>
  );
}

/** Its state and kind, how many tools it has and when it was used. */
function Facts({ server }: { server: ServerView }) {
  const t = useTranslations('servers');
  const stateLabel = useStateLabel();
  const placeName = usePlaceName();
  const { toolCount, lastUsedAt } = server;
  return (
    <span className="block text-xs break-words text-muted sm:truncate">
      <span className="mr-1.5 inline-block">
        <StateDot state={server.state} />
      </span>
      <span>{stateLabel(server.state)}</span>
      {' · '}
      <span>
        {server.builtin ? t('builtin') : server.readOnly ? t('sharedByAdmin') : kinds[server.type]}
      </span>
      {server.attachedTo && (
        <span data-testid="only-in">
          {' · '}
          {t('onlyIn', { name: placeName(server.attachedTo) })}
        </span>
      )}
      {toolCount !== undefined && (
        <span data-testid="tool-count"> · {t('toolCount', { count: toolCount })}</span>
      )}
      {lastUsedAt !== undefined && (
        <span data-testid="last-use">
          {' · '}
          <LastUse at={lastUsedAt} />
        </span>
      )}
    </span>
  );
}

/** When a server was used, which is known to a quarter of an hour. */
function LastUse({ at }: { at: number }) {
  const t = useTranslations('servers');
  if (useMinute() - at < hourMs) return t('usedLately');
  return (
    <>
      {t('lastUsed')} <TimeAgo at={at} />
    </>
  );
}
