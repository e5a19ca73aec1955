import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ErrorCode } from '#shared/errors/errors.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { StateDot, useStateLabel } from '../../../ui/layout/state-dot.tsx';
import { inLine, useReason } from '../../../ui/notices/use-reason.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** Names that are shown of the tools of a server. */
const mostNames = 12;

/** A server that was just approved, on its way to being connected: its state, and its tools once they are known. */
export function ApprovedServer(props: {
  serverId: string;
  onTry: (server: ServerView, toolName: string) => void;
}): ReactElement | null {
  const { serverId, onTry } = props;
  const t = useTranslations('servers');
  const stateLabel = useStateLabel();
  const reasonOf = useReason();
  const server = useCatalog(({ servers }) => servers.find(({ id }) => id === serverId));
  const tools = useTools(serverId, server?.state === 'connected');
  if (!server) return null;
  const { reason: message, reasonSaid: messageSaid, reasonCode } = server;
  const reason =
    message &&
    inLine(
      reasonOf({
        code: (reasonCode ?? 'internal') as ErrorCode,
        message,
        ...(messageSaid && { messageSaid }),
      }),
    );
  return (
    <li className="rounded-xl border border-line p-3 text-sm" data-testid="approved-server">
      <div className="flex items-center gap-2.5">
        <StateDot state={server.state} />
        <span className="min-w-0 flex-1 font-medium break-words">
          <VisibleText text={server.name} />
        </span>
        <span role="status" className="shrink-0 text-xs text-muted">
          {tools ? t('toolCount', { count: tools.length }) : stateLabel(server.state)}
        </span>
      </div>
      {reason && (
        <p className="mt-2 text-xs break-words text-muted">
          <VisibleText text={reason} />
        </p>
      )}
      {tools && tools.length > 0 && (
        <>
          <p className="mt-2 text-xs text-muted">{t('tryOne')}</p>
          <ul className="mt-1.5 flex flex-wrap gap-1.5">
            {tools.slice(0, mostNames).map((name) => (
              <li key={name} className="min-w-0">
                <button
                  type="button"
                  onClick={() => onTry(server, name)}
                  data-testid="try-approved"
                  className="max-w-full rounded-md border border-line px-2 py-1 font-mono text-xs break-all hover:bg-hover"
                >
                  <VisibleText text={name} />
                </button>
              </li>
            ))}
            {tools.length > mostNames && <li aria-hidden>…</li>}
          </ul>
        </>
      )}
    </li>
  );
}

/** The names of its tools, once it is connected. */
function useTools(serverId: string, isConnected: boolean): string[] | undefined {
  const [names, setNames] = useState<string[]>();
  useEffect(() => {
    if (!isConnected) return;
    const left = new AbortController();
    api.servers.tools(serverId, left.signal).then(
      ({ tools }) => setNames(tools.map(({ name }) => name)),
      // Its state says what is wrong with it.
      () => undefined,
    );
    return () => left.abort();
  }, [serverId, isConnected]);
  return names;
}
