import { create } from 'zustand';

/** The looks of the page; `system` follows the system's. */
export const themes = ['system', 'light', 'dark'] as const;
/** One of the themes. */
export type Theme = (typeof themes)[number];
/** The languages of the page. */
export const locales = ['en', 'zh'] as const;
/** One of the languages. */
export type Locale = (typeof locales)[number];

interface Preferences {
  theme: Theme;
  locale: Locale;
}

const storageKey = 'cerise.preferences';

/** What this browser prefers; kept in it. */
export const usePreferences = create<Preferences>(() => ({
  theme: 'system',
  locale: navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en',
  ...readStored(),
}));

/** Changes a preference and keeps it in this browser. */
export function setPreference(patch: Partial<Preferences>): void {
  usePreferences.setState(patch);
  localStorage.setItem(storageKey, JSON.stringify(usePreferences.getState()));
}

/** Keeps the document's theme and language as preferred, now and later. */
export function applyPreferences(): void {
  const apply = ({ theme, locale }: Preferences) => {
    const root = document.documentElement;
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    root.lang = locale === 'zh' ? 'zh-CN' : 'en';
  };
  apply(usePreferences.getState());
  usePreferences.subscribe(apply);
}

function readStored(): Partial<Preferences> {
  const stored = parse(localStorage.getItem(storageKey) ?? '{}');
  return {
    ...(themes.includes(stored.theme as Theme) && { theme: stored.theme as Theme }),
    ...(locales.includes(stored.locale as Locale) && { locale: stored.locale as Locale }),
  };
}

function parse(text: string): { theme?: unknown; locale?: unknown } {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch (error) {
    console.warn('The stored preferences are unreadable and are left out.', error);
    return {};
  }
}
