import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { KeyView } from '#shared/api/people-api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { AddKey } from './add-key.tsx';
import { KeyRow } from './key-row.tsx';
import { OneTimeSecret } from './one-time-secret.tsx';

/** Somebody's API keys. A new one is shown once. */
export function Keys(): ReactElement {
  const t = useTranslations('people');
  const [round, setRound] = useState(0);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const { value, error } = useLoaded((signal) => api.people.keys(signal), String(round));
  const reload = () => setRound((before) => before + 1);
  return (
    <div className="space-y-3">
      {error && <ErrorNote error={error} />}
      {made && <OneTimeSecret label={t('keyMade')} secret={made} onDone={() => setMade(null)} />}
      <KeyList keys={value?.keys ?? []} onRemoved={reload} />
      <Button onClick={() => setAdding(true)} data-testid="add-key">
        <Plus aria-hidden />
        {t('addKey')}
      </Button>
      {adding && (
        <AddKey
          onClose={() => setAdding(false)}
          onMade={(key) => {
            setMade(key);
            reload();
          }}
        />
      )}
    </div>
  );
}

function KeyList({ keys, onRemoved }: { keys: KeyView[]; onRemoved: () => void }) {
  if (keys.length === 0) return null;
  const remove = async (id: string) => {
    await api.people.removeKey(id);
    onRemoved();
  };
  return (
    <ul className="card divide-y divide-line">
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} onRemove={() => remove(key.id)} />
      ))}
    </ul>
  );
}
