import { type ReactElement, useId } from 'react';
import { useTranslations } from 'use-intl';
import type { Attachment } from '#shared/vocabulary/server.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { useTopics } from '../../../state/chat/topics.ts';
import { usePlaceName } from './use-place-name.ts';

/** So many of the last chats can be chosen. */
const mostChats = 20;

interface AvailableInProps {
  value: Attachment | undefined;
  onChange: (value: Attachment | undefined) => void;
}

/** Where a new server can be used: everywhere, with one assistant, or in one chat. */
export function AvailableIn({ value, onChange }: AvailableInProps): ReactElement {
  const t = useTranslations('servers');
  const id = useId();
  const assistants = useCatalog((state) => state.assistants);
  const topics = useTopics((state) => state.topics);
  const last = topics.slice(0, mostChats).map((topic) => topic.id);
  // The chat that somebody came from may be an older one.
  const wanted = value && 'topic' in value ? [value.topic] : [];
  const chats = [...new Set([...last, ...wanted])].map((topic) => ({ topic }));
  return (
    <div className="mb-4">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t('availableIn')}
      </label>
      <select
        id={id}
        data-testid="available-in"
        value={value ? JSON.stringify(value) : ''}
        onChange={({ target }) =>
          onChange(target.value === '' ? undefined : (JSON.parse(target.value) as Attachment))
        }
        className="input"
      >
        <option value="">{t('everywhere')}</option>
        <Places
          label={t('anAssistant')}
          places={assistants.map((each) => ({ assistant: each.id }))}
        />
        <Places label={t('aChat')} places={chats} />
      </select>
    </div>
  );
}

function Places({ label, places }: { label: string; places: Attachment[] }): ReactElement | null {
  const nameOf = usePlaceName();
  if (places.length === 0) return null;
  return (
    <optgroup label={label}>
      {places.map((place) => (
        <option key={JSON.stringify(place)} value={JSON.stringify(place)}>
          {nameOf(place)}
        </option>
      ))}
    </optgroup>
  );
}
