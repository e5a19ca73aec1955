import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Settings } from '#shared/api/api.ts';
import { Field } from '../../ui/controls/field.tsx';

type WebSearch = NonNullable<Settings['webSearch']>;

const engines: Record<WebSearch['kind'], { name: string; wants: 'url' | 'apiKey' }> = {
  searxng: { name: 'SearXNG', wants: 'url' },
  brave: { name: 'Brave', wants: 'apiKey' },
  tavily: { name: 'Tavily', wants: 'apiKey' },
};

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
      <Field label={t('webSearch')} hint={t('webSearchHint')}>
        {(ids) => (
          <select
            {...ids}
            value={value?.kind ?? ''}
            onChange={(event) => {
              const kind = event.target.value;
              onChange(kind in engines ? { kind: kind as WebSearch['kind'] } : undefined);
            }}
            className="input"
          >
            <option value="">{t('webSearchNone')}</option>
            {Object.entries(engines).map(([kind, { name }]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {value && wants && (
        <Field label={t(wants === 'url' ? 'webSearchUrl' : 'webSearchKey')}>
          {(ids) => (
            <input
              {...ids}
              type={wants === 'url' ? 'url' : 'password'}
              required
              autoComplete="off"
              value={value[wants] ?? ''}
              onChange={(event) => onChange({ ...value, [wants]: event.target.value })}
              className="input"
            />
          )}
        </Field>
      )}
    </>
  );
}
