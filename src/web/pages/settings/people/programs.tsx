import { type ReactElement, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { GrantView } from '#shared/api/people-api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** The programs that somebody has connected, each with a way to end that. */
export function Programs(): ReactElement {
  const t = useTranslations('people');
  const [round, setRound] = useState(0);
  const { value, error } = useLoaded((signal) => api.grants.list(signal), String(round));
  if (error) return <ErrorNote error={error} />;
  if (value?.grants.length === 0) return <p className="text-sm text-muted">{t('noPrograms')}</p>;
  return (
    <ul className="card divide-y divide-line" data-testid="programs">
      {value?.grants.map((grant) => (
        <ProgramRow key={grant.id} grant={grant} onEnded={() => setRound((before) => before + 1)} />
      ))}
    </ul>
  );
}

function ProgramRow({ grant, onEnded }: { grant: GrantView; onEnded: () => void }) {
  const t = useTranslations('people');
  const name = grant.name || t('unnamedProgram');
  return (
    <li className="flex items-center gap-3 px-4 py-2.5" data-testid="program-row">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">
          <VisibleText text={name} />
        </p>
        <p className="text-xs wrap-anywhere text-muted">
          <VisibleText text={useGrantFacts(grant).join(' · ')} />
        </p>
      </div>
      <Button
        aria-label={t('disconnectNamed', { name })}
        onClick={() => {
          api.grants.end(grant.id).then(onEnded, showFailure);
        }}
      >
        {t('disconnect')}
      </Button>
    </li>
  );
}

function useGrantFacts({ place, resource, servers, lastUsedAt, createdAt }: GrantView): string[] {
  const t = useTranslations('people');
  const format = useFormatter();
  const date = (time: number) => format.dateTime(time, { dateStyle: 'medium' });
  return [
    resource,
    t('programAt', { place }),
    ...(servers && resource === '/mcp' ? [t('limitedTo', { count: servers.length })] : []),
    t('lastUsed', { time: date(lastUsedAt ?? createdAt) }),
  ];
}
