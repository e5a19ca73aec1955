import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { sharedChromium } from '../chromium.ts';
import { App, type AppOptions } from './app.ts';
import { watchTroubles } from './page.ts';

/** The program with its built page, and a browser. */
interface OpenApp {
  app: App;
  browser: Browser;
}

/** The same with a page that has signed in, and what that page complained about so far. */
interface OpenPage extends OpenApp {
  page: Page;
  troubles: string[];
}

/** Opens the program for the tests of one `describe`. */
interface Opener {
  app(options?: AppOptions): Promise<OpenApp>;
  /** `context` is how the browser presents itself. */
  page(options?: AppOptions & { context?: BrowserContextOptions }): Promise<OpenPage>;
}

/** What it opens is ended after all tests of the `describe` it is called in, whatever happens in them. */
export function opener(): Opener {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  const start = async (options?: AppOptions) => {
    const app = await App.start(options);
    ends.push(() => app.close());
    return app;
  };
  const launch = async () => {
    const browser = await sharedChromium();
    ends.push(async () => {
      for (const context of browser.contexts()) await context.close();
    });
    return browser;
  };
  const openApp = async (options?: AppOptions) => {
    const [app, browser] = await Promise.all([start(options), launch()]);
    return { app, browser };
  };
  return {
    app: openApp,
    page: async ({ context, ...options } = {}) => {
      const { app, browser } = await openApp(options);
      const { page } = await app.signIn(browser, context);
      return { app, browser, page, troubles: watchTroubles(page) };
    },
  };
}
