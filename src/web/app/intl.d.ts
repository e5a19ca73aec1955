import type { Messages } from '../messages/en/en.ts';

/** Lets the compiler check the keys of texts. */
declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}
