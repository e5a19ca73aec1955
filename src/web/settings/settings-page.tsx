import type { ReactElement, ReactNode } from 'react';
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
import { Page } from '../ui/page.tsx';
import { HostSettings } from './host-settings.tsx';
import { Providers } from './providers.tsx';

/** Preferences of this browser and settings of the host. */
export function SettingsPage(): ReactElement {
  const t = useTranslations('settings');
  return (
    <Page title={t('title')}>
      <div className="space-y-10">
        <Section title={t('appearance')}>
          <Appearance />
        </Section>
        <Section title={t('providers')} text={t('providersHint')}>
          <Providers />
        </Section>
        <HostSettings />
      </div>
    </Page>
  );
}

function Section(props: { title: string; text?: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="font-semibold">{props.title}</h2>
      {props.text && <p className="mt-1 text-sm text-muted">{props.text}</p>}
      <div className="mt-3">{props.children}</div>
    </section>
  );
}

const themeText = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;
const localeNames: Record<Locale, string> = { en: 'English', zh: '简体中文' };

function Appearance() {
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
