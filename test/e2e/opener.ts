import type { Browser, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { sharedChromium } from '../chromium.ts';
import { startFakeOpenAi } from '../fakes/fake-openai.ts';
import { App, type AppOptions, type BrowserOptions } from './app.ts';
import { watchTroubles } from './page.ts';
import { sharedApp } from './shared-app.ts';
import { tellModel, type ToldApp } from './told-model.ts';

/** Whether a program is shared with other files goes by what is asked of it. */
interface OpenOptions extends AppOptions {
  /** For tests that end the program, or that must be the first to use its home. */
  own?: boolean;
}

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
  app(options?: OpenOptions): Promise<OpenApp>;
  /** With a model that says what it is told to. */
  told(options?: OpenOptions): Promise<{ told: ToldApp; browser: Browser }>;
  /** `context` is how the browser presents itself. */
  page(options?: OpenOptions & { context?: BrowserOptions }): Promise<OpenPage>;
}

/** What it opens is ended after all tests of the `describe` it is called in, whatever happens in them. */
export function opener(): Opener {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  const start = async ({ own, pace, ...options }: OpenOptions = {}) => {
    if (!own && Object.keys(options).length === 0) return sharedApp(pace);
    const app = await App.start({ pace, ...options });
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
  const openApp = async (options?: OpenOptions) => {
    const [app, browser] = await Promise.all([start(options), launch()]);
    return { app, browser };
  };
  return {
    app: openApp,
    told: async (options) => {
      const [{ app, browser }, fake] = await Promise.all([openApp(options), startFakeOpenAi()]);
      ends.push(() => fake.close());
      return { told: await tellModel(app, fake), browser };
    },
    page: async ({ context, ...options } = {}) => {
      const { app, browser } = await openApp(options);
      const { page } = await app.signIn(browser, context);
      return { app, browser, page, troubles: watchTroubles(page) };
    },
  };
}
