import type { Messages } from '../messages/en/en.ts';
import type { Locale } from '../state/page/preferences.ts';

/** Lets the compiler check the keys of texts. */
declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
    Locale: Locale;
  }
}
