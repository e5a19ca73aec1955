import { RefreshCw } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { RegistryList } from '#shared/api/registry-api.ts';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { inLine, useReason } from '../../../ui/notices/use-reason.ts';
import { TimeAgo } from '../../../ui/text/time-ago.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** The registries that are searched: how old each copy is, why the last check failed, and a new check. */
export function Registries({ onChecked }: { onChecked: () => void }): ReactElement {
  const t = useTranslations('discover');
  const reasonOf = useReason();
  const isAdmin = useIsAdmin();
  const { value } = useLoaded((signal) => api.registry.list(signal), '');
  const [checked, setChecked] = useState<RegistryList>();
  const [busy, setBusy] = useState(false);
  const all = (checked ?? value)?.registries ?? [];
  const check = () => {
    setBusy(true);
    api.registry
      .check()
      .then((list) => {
        setChecked(list);
        onChecked();
      }, showFailure)
      .finally(() => setBusy(false));
  };
  const far = all.filter(({ url }) => url !== undefined);
  if (far.length === 0) return <></>;
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-2">
      <ul className="min-w-0 text-xs text-muted" aria-live="polite" data-testid="registries">
        {far.map(({ id, name, copiedAt, count, error }) => (
          <li key={id} className="break-words">
            <VisibleText text={name} />
            {': '}
            {copiedAt === undefined ? t('neverFetched') : t('copied', { count })}{' '}
            {copiedAt !== undefined && <TimeAgo at={copiedAt} />}
            {error && <span className="block text-warn">{inLine(reasonOf(error))}</span>}
          </li>
        ))}
      </ul>
      {isAdmin && (
        <Button disabled={busy} onClick={check} data-testid="check-registries">
          <RefreshCw aria-hidden />
          {busy ? t('checking') : t('check')}
        </Button>
      )}
    </div>
  );
}
