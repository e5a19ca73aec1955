import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { ServerMark } from '../../features/tools/call/server-mark.tsx';
import { StateDot, useStateLabel } from '../../ui/layout/state-dot.tsx';
import { VisibleText } from '../../ui/text/visible-text.tsx';

/** A server in a line: its mark, name, state, kind and description. */
export function ServerHeadline({ server }: { server: ServerView }): ReactElement {
  const t = useTranslations('servers');
  const stateLabel = useStateLabel();
  const { description = '' } = server.config as { description?: string };
  return (
    <>
      <ServerMark serverId={server.id} serverName={server.name} />
      <span className="min-w-0">
        <span className="block font-medium break-words sm:truncate">
          <VisibleText text={server.name} />
        </span>
        <span className="block text-xs break-words text-muted sm:truncate">
          <span className="mr-1.5 inline-block">
            <StateDot state={server.state} />
          </span>
          <span>{stateLabel(server.state)}</span>
          {' · '}
          <span>
            {server.builtin ? t('builtin') : server.readOnly ? t('sharedByAdmin') : server.type}
          </span>
        </span>
        {description !== '' && (
          <span className="mt-0.5 line-clamp-1 text-xs break-words text-muted">
            <VisibleText text={description} />
          </span>
        )}
      </span>
    </>
  );
}
