import { create } from 'zustand';
import type { Messages } from '../../messages/en/en.ts';
import { showFailure } from '../../ui/notices/notices.ts';
import { readPart } from './parts.ts';
import { type Locale, usePreferences } from './preferences.ts';

const loaders: Record<Locale, () => Promise<Messages>> = {
  en: async () => (await import('../../messages/en/en.ts')).en,
  zh: async () => (await import('../../messages/zh/zh.ts')).zh,
};

/** The language that is shown, with its texts; none before the first are loaded. */
export const useLanguage = create<{ locale: Locale; messages: Messages } | null>(() => null);

/**
 * Shows the preferred language, now and whenever another is preferred: only the texts that are read are
 * loaded, and the old ones stay until the new ones are there. Resolves with the first.
 */
export async function followLanguage(): Promise<void> {
  usePreferences.subscribe(({ locale }) => {
    if (locale !== useLanguage.getState()?.locale) show(locale).catch(showFailure);
  });
  await show(usePreferences.getState().locale);
}

async function show(locale: Locale): Promise<void> {
  const messages = await readPart(loaders[locale]);
  if (usePreferences.getState().locale === locale) useLanguage.setState({ locale, messages }, true);
}
