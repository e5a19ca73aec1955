import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ErrorCode } from '#shared/errors/errors.ts';
import { readTools, useCatalog } from '../../../state/catalog/catalog.ts';
import { Elapsed } from '../../../ui/text/elapsed.tsx';
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
  const server = useCatalog(({ servers }) => servers.find(({ id }) => id === serverId));
  const tools = useTools(serverId, server?.state === 'connected');
  if (!server) return null;
  return (
    <li className="rounded-xl border border-line p-3 text-sm" data-testid="approved-server">
      <div className="flex items-center gap-2.5">
        <StateDot state={server.state} />
        <span className="min-w-0 flex-1 font-medium break-words">
          <VisibleText text={server.name} />
        </span>
        <span role="status" className="shrink-0 text-xs text-muted">
          {tools ? t('toolCount', { count: tools.length }) : stateLabel(server.state)}
          {goesOn(server) && (
            <span aria-hidden className="ml-1.5">
              <Elapsed since={server.since} />
            </span>
          )}
        </span>
      </div>
      <Reason server={server} />
      {tools && tools.length > 0 && (
        <ToolNames names={tools} onTry={(name) => onTry(server, name)} />
      )}
    </li>
  );
}

function goesOn({ state }: ServerView): boolean {
  return state === 'installing' || state === 'connecting';
}

function Reason({ server }: { server: ServerView }) {
  const reasonOf = useReason();
  const { reason: message, reasonSaid: messageSaid, reasonCode } = server;
  if (!message) return null;
  const code = (reasonCode ?? 'internal') as ErrorCode;
  return (
    <p className="mt-2 text-xs break-words text-muted">
      <VisibleText
        text={inLine(reasonOf({ code, message, ...(messageSaid && { messageSaid }) }))}
      />
    </p>
  );
}

function ToolNames({ names, onTry }: { names: string[]; onTry: (name: string) => void }) {
  const t = useTranslations('servers');
  return (
    <>
      <p className="mt-2 text-xs text-muted">{t('tryOne')}</p>
      <ul className="mt-1.5 flex flex-wrap gap-1.5">
        {names.slice(0, mostNames).map((name) => (
          <li key={name} className="min-w-0">
            <button
              type="button"
              onClick={() => onTry(name)}
              data-testid="try-approved"
              className="max-w-full rounded-md border border-line px-2 py-1 font-mono text-xs break-all hover:bg-hover"
            >
              <VisibleText text={name} />
            </button>
          </li>
        ))}
        {names.length > mostNames && <li aria-hidden>…</li>}
      </ul>
    </>
  );
}

/** The names of its tools, once it is connected. */
function useTools(serverId: string, isConnected: boolean): string[] | undefined {
  const [names, setNames] = useState<string[]>();
  useEffect(() => {
    if (!isConnected) return;
    const left = new AbortController();
    readTools(serverId, left.signal).then(
      ({ tools }) => setNames(tools.map(({ name }) => name)),
      // Its state says what is wrong with it.
      () => undefined,
    );
    return () => left.abort();
  }, [serverId, isConnected]);
  return names;
}
