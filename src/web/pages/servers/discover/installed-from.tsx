import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerUpdate } from '#shared/api/registry-api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { UpdateRow } from './update-row.tsx';

/** Which entry of the catalogue a server came from, and a newer version of it; asks the registry only when told to. */
export function InstalledFrom(props: {
  server: ServerView;
  onUpdate: (update: ServerUpdate) => void;
}): ReactElement | null {
  const { server, onUpdate } = props;
  const { installedFrom: from } = server;
  const t = useTranslations('discover');
  const [checks, setChecks] = useState(0);
  const [busy, act] = useBusy();
  const { value } = useLoaded(
    (signal) => api.registry.updates(signal),
    `${checks} ${from?.version}`,
  );
  if (!from) return null;
  const update = value?.updates.find((one) => one.server === server.id);
  const check = () =>
    act(async () => {
      await api.registry.check({ registry: from.registry });
      setChecks(checks + 1);
    });
  return (
    <div className="mb-3 space-y-2" data-testid="installed-from">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        <span className="min-w-0 break-words">
          <VisibleText text={t('from', { name: from.name, version: from.version })} />
        </span>
        <Button disabled={busy} onClick={() => void check()} data-testid="check-update">
          {busy ? t('checking') : t('checkUpdate')}
        </Button>
        <span role="status">{checks > 0 && value && !update && t('upToDate')}</span>
      </div>
      {update && <UpdateRow update={update} onUpdate={() => onUpdate(update)} />}
    </div>
  );
}
