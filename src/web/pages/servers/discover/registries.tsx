import { RefreshCw, Settings2 } from 'lucide-react';
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
import { ManageRegistries } from './manage-registries.tsx';

/** The registries that are searched: how old each copy is, why the last check failed, a new check, and which there are. */
export function Registries({ onChecked }: { onChecked: () => void }): ReactElement | null {
  const t = useTranslations('discover');
  const isAdmin = useIsAdmin();
  const { list, setList, busy, check } = useRegistries(onChecked);
  const [managing, setManaging] = useState(false);
  if (!list) return null;
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-2">
      <RegistryStates list={list} busy={busy} />
      {isAdmin && (
        <div className="flex flex-wrap gap-2">
          {list.registries.some(({ url }) => url !== undefined) && (
            <Button disabled={busy} onClick={check} data-testid="check-registries">
              <RefreshCw aria-hidden />
              {busy ? t('checking') : t('check')}
            </Button>
          )}
          <Button onClick={() => setManaging(true)} data-testid="manage-registries">
            <Settings2 aria-hidden />
            {t('manage')}
          </Button>
        </div>
      )}
      {managing && (
        <ManageRegistries
          list={list}
          onClose={() => setManaging(false)}
          onSaved={(saved) => {
            setList(saved);
            setManaging(false);
            onChecked();
          }}
        />
      )}
    </div>
  );
}

function RegistryStates({ list, busy }: { list: RegistryList; busy: boolean }) {
  const t = useTranslations('discover');
  const reasonOf = useReason();
  return (
    <ul
      className="min-w-0 flex-1 basis-48 text-xs text-muted"
      aria-live="polite"
      aria-busy={busy}
      data-testid="registries"
    >
      {list.registries.slice(1).map(({ id, name, copiedAt, count, error }) => (
        <li key={id} className="break-words">
          <VisibleText
            text={t('registryState', {
              name,
              state: copiedAt === undefined ? t('neverFetched') : t('copied', { count }),
            })}
          />{' '}
          {copiedAt !== undefined && <TimeAgo at={copiedAt} />}
          {error && <span className="block text-warn">{inLine(reasonOf(error))}</span>}
        </li>
      ))}
      {list.limit && <li>{t('limited')}</li>}
    </ul>
  );
}

/** Read when it is shown; registries that were not asked for a day are, since somebody looks. */
function useRegistries(onChecked: () => void) {
  const [saved, setList] = useState<RegistryList>();
  const [pressed, setPressed] = useState(false);
  const { value: known } = useLoaded((signal) => api.registry.list(signal), '');
  const { value: looked, error } = useLoaded(async (signal) => {
    const list = await api.registry.check({ stale: true }, signal);
    onChecked();
    return list;
  }, '');
  const check = () => {
    setPressed(true);
    api.registry
      .check()
      .then((checked) => {
        setList(checked);
        onChecked();
      }, showFailure)
      .finally(() => setPressed(false));
  };
  return { list: saved ?? looked ?? known, setList, busy: pressed || (!looked && !error), check };
}
