import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Settings } from '#shared/api/api.ts';
import { InputField, SelectField } from '../../ui/controls/labelled.tsx';

type WebSearch = NonNullable<Settings['webSearch']>;

const engines: Record<WebSearch['kind'], { name: string; wants: 'url' | 'apiKey' }> = {
  searxng: { name: 'SearXNG', wants: 'url' },
  brave: { name: 'Brave', wants: 'apiKey' },
  tavily: { name: 'Tavily', wants: 'apiKey' },
};
const names = (['searxng', 'brave', 'tavily'] as const).map(
  (kind) => [kind, engines[kind].name] as const,
);

/** Which engine the web-search tool asks, with its address or its key. */
export function WebSearchSettings(props: {
  value: WebSearch | undefined;
  onChange: (value: WebSearch | undefined) => void;
}): ReactElement {
  const { value, onChange } = props;
  const t = useTranslations('settings');
  const wants = value && engines[value.kind].wants;
  return (
    <>
      <SelectField
        label={t('webSearch')}
        hint={t('webSearchHint')}
        value={value?.kind ?? ''}
        options={[['', t('webSearchNone')], ...names]}
        onChoose={(kind) => onChange(kind === '' ? undefined : { kind })}
      />
      {value && wants && (
        <InputField
          label={t(wants === 'url' ? 'webSearchUrl' : 'webSearchKey')}
          type={wants === 'url' ? 'url' : 'password'}
          required
          autoComplete="off"
          value={value[wants] ?? ''}
          onWrite={(text) => onChange({ ...value, [wants]: text })}
        />
      )}
    </>
  );
}
