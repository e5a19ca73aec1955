import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import {
  locales,
  type Locale,
  setPreference,
  type Theme,
  themes,
  usePreferences,
} from '../state/preferences.ts';
import { Field } from '../ui/field.tsx';

const themeText = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;
const localeNames: Record<Locale, string> = { en: 'English', zh: '简体中文' };

/** Language and theme of this browser. */
export function Appearance(): ReactElement {
  const t = useTranslations('settings');
  const { theme, locale } = usePreferences();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('language')}>
        {(ids) => (
          <select
            {...ids}
            data-testid="language"
            value={locale}
            onChange={(event) => setPreference({ locale: event.target.value as Locale })}
            className="input"
          >
            {locales.map((one) => (
              <option key={one} value={one}>
                {localeNames[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t('theme')}>
        {(ids) => (
          <select
            {...ids}
            data-testid="theme"
            value={theme}
            onChange={(event) => setPreference({ theme: event.target.value as Theme })}
            className="input"
          >
            {themes.map((one) => (
              <option key={one} value={one}>
                {t(themeText[one])}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
