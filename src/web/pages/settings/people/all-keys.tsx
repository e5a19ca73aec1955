import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../state/session/api.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { KeyRow } from './key-row.tsx';

/** The API keys of everybody, for admins. `round` changes when there may be others. */
export function AllKeys(props: { round: number; onChanged: () => void }): ReactElement {
  const t = useTranslations('people');
  const { value, error } = useLoaded((signal) => api.people.allKeys(signal), String(props.round));
  if (error) return <ErrorNote error={error} />;
  if (value?.keys.length === 0)
    return (
      <p className="rounded-xl border border-line px-3.5 py-3 text-sm text-muted">{t('noKeys')}</p>
    );
  return (
    <ul className="card divide-y divide-line" data-testid="all-keys">
      {value?.keys.map((key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          ownerName={key.owner.name}
          onRemove={async () => {
            await api.people.removeKeyOf(key.owner.id, key.id);
            props.onChanged();
          }}
        />
      ))}
    </ul>
  );
}
