import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { DirectCallLine } from '../../../features/tools/call/direct-call-line.tsx';
import { api } from '../../../state/session/api.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';

interface RecentRunsProps {
  serverId: string;
  toolName: string;
  /** The call that is shown already. */
  shown: string | undefined;
  /** Changes whenever a call was made or has ended. */
  version: string;
}

const most = 5;
const pollIntervalMs = 1500;

/** The last calls of a tool outside of chats, as the host keeps them: the newest one is open. */
export function RecentRuns(props: RecentRunsProps): ReactElement | null {
  const { serverId, toolName, shown, version } = props;
  const t = useTranslations('servers');
  const [turn, setTurn] = useState(0);
  const { value } = useLoaded(
    (signal) => api.toolCalls.listOfTool(serverId, toolName, signal),
    `${serverId} ${toolName} ${shown} ${version} ${turn}`,
  );
  const calls = (value?.calls ?? []).filter(({ id }) => id !== shown).slice(0, most);
  const isRunning = calls.some(({ endedAt }) => endedAt === undefined);
  const reload = () => setTurn((last) => last + 1);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setTurn((last) => last + 1), pollIntervalMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (calls.length === 0) return null;
  return (
    <section data-testid="recent-runs">
      <h4 className="mb-1.5 text-xs font-medium text-muted">{t('recentRuns')}</h4>
      <ul className="card divide-y divide-line overflow-hidden">
        {calls.map((call, at) => (
          <DirectCallLine
            key={call.id}
            call={call}
            isOfTool
            startsOpen={at === 0 && shown === undefined}
            onDeleted={reload}
          />
        ))}
      </ul>
    </section>
  );
}
