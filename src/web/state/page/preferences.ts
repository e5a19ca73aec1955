import { create } from 'zustand';

/** The looks of the page; `system` follows the system's. */
export const themes = ['system', 'light', 'dark'] as const;
/** One of the themes. */
export type Theme = (typeof themes)[number];
/** The languages of the page. */
export const locales = ['en', 'zh'] as const;
/** One of the languages. */
export type Locale = (typeof locales)[number];

/** What each language calls itself. */
export const localeNames: Record<Locale, string> = { en: 'English', zh: '简体中文' };

/** Which key sends a message; the other one makes a new line. */
export const sendKeys = ['enter', 'modifier'] as const;
/** One of the ways to send. */
export type SendKey = (typeof sendKeys)[number];
/** How large the text of the page is. */
export const textSizes = ['small', 'normal', 'large', 'larger'] as const;
/** One of the sizes. */
export type TextSize = (typeof textSizes)[number];
/** How the sidebar stands on a wide screen. */
const sidebars = ['open', 'folded'] as const;
/** One of the ways. */
type SidebarLook = (typeof sidebars)[number];
/** Whether notifications are shown; `ask`: nobody has said, so they are offered. */
const notificationChoices = ['ask', 'on', 'off'] as const;
/** One of the choices. */
type NotificationChoice = (typeof notificationChoices)[number];

interface Preferences {
  theme: Theme;
  locale: Locale;
  /** `modifier`: Enter with Ctrl, or with Command on a Mac. */
  sendKey: SendKey;
  textSize: TextSize;
  sidebar: SidebarLook;
  notifications: NotificationChoice;
}

const storageKey = 'cerise.preferences';

/** What this browser prefers; kept in it. */
export const usePreferences = create<Preferences>(() => ({
  theme: 'system',
  locale: navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en',
  sendKey: 'enter',
  textSize: 'normal',
  sidebar: 'open',
  notifications: 'ask',
  ...readStored(),
}));

/** Changes a preference and keeps it in this browser. */
export function setPreference(patch: Partial<Preferences>): void {
  usePreferences.setState(patch);
  localStorage.setItem(storageKey, JSON.stringify(usePreferences.getState()));
}

/** Keeps the document's theme, language and size as preferred, now and later, whichever tab changes them. */
export function applyPreferences(): void {
  const apply = ({ theme, locale, textSize }: Preferences) => {
    const root = document.documentElement;
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    root.dataset['textSize'] = textSize;
    root.lang = locale === 'zh' ? 'zh-CN' : 'en';
  };
  apply(usePreferences.getState());
  usePreferences.subscribe(apply);
  addEventListener('storage', ({ key }) => {
    if (key === storageKey) usePreferences.setState(readStored());
  });
}

function readStored(): Partial<Preferences> {
  const stored = parse(localStorage.getItem(storageKey) ?? '{}');
  return {
    ...oneOf('theme', themes, stored.theme),
    ...oneOf('locale', locales, stored.locale),
    ...oneOf('sendKey', sendKeys, stored.sendKey),
    ...oneOf('textSize', textSizes, stored.textSize),
    ...oneOf('sidebar', sidebars, stored.sidebar),
    ...oneOf('notifications', notificationChoices, stored.notifications),
  };
}

/** Nothing for what is none of the choices. */
function oneOf<K extends string, T>(name: K, choices: readonly T[], value: unknown) {
  const known = choices.find((choice) => choice === value);
  return (known === undefined ? {} : { [name]: known }) as { [key in K]?: T };
}

function parse(text: string): Partial<Record<keyof Preferences, unknown>> {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch (error) {
    console.warn('The stored preferences are unreadable and are left out.', error);
    return {};
  }
}
