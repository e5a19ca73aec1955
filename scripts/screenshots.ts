import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, Page, ViewportSize } from 'playwright-core';
import { launchChromium } from '../test/chromium.ts';
import { App } from '../test/e2e/app.ts';
import { answers, ask, send, topicOf } from '../test/e2e/page.ts';
import { prepareStations, written } from '../test/e2e/prepare-stations.ts';
import { stations } from '../test/e2e/stations.ts';
import { tellModel } from '../test/e2e/told-model.ts';
import { startFakeOpenAi, textChunks } from '../test/fakes/fake-openai.ts';

// Makes the pictures of the documentation from the real program: `npm run screenshots`. With a folder,
// `npm run screenshots -- FOLDER`, everything there is to see goes there instead, to be looked at: each in
// English and light, in Chinese and dark, on a desk and on a phone.

const documented = join(import.meta.dirname, '../docs/images');
const sizes = {
  wide: { width: 1280, height: 1080 },
  short: { width: 1280, height: 680 },
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};
const most = 200 * 1024;

type Locale = 'en' | 'zh';
/** Where the conversations of each language are. */
type Places = Record<Locale, { answer: string; sources: string; approval: string }>;

interface Look {
  theme: 'light' | 'dark';
  locale: Locale;
  size: keyof typeof sizes;
}

interface View {
  path: (places: Places[Locale]) => string;
  /** Waits until it is all there, and opens what is to be seen. */
  show: (page: Page) => Promise<void>;
}

const views = {
  welcome: { path: () => '/', show: (page) => page.getByTestId('suggestion').last().waitFor() },
  conversation: {
    path: ({ answer }) => answer,
    show: async (page) => {
      const call = answers(page).last().locator('[data-type="tool"]').first();
      await call.getByRole('button').first().click();
      await page.getByTestId('result').waitFor();
    },
  },
  sources: {
    path: ({ sources }) => sources,
    show: (page) => page.getByTestId('sources').waitFor(),
  },
  approval: {
    path: ({ approval }) => approval,
    show: (page) => page.getByTestId('approve').waitFor(),
  },
  servers: {
    path: () => '/servers',
    show: (page) => page.getByTestId('server').last().waitFor(),
  },
  server: {
    path: () => '/servers',
    show: async (page) => {
      const card = page.getByTestId('server').filter({ hasText: 'filesystem' }).first();
      await card.getByRole('button').first().click();
      await card.getByRole('tabpanel').getByRole('listitem').first().waitFor();
    },
  },
  models: {
    path: () => '/settings/models',
    // It has looked for servers, and the models are there.
    show: (page) => page.locator('[data-testid="discover"]:enabled').waitFor(),
  },
  policy: {
    path: () => '/settings/approvals',
    show: async (page) => {
      await page.getByTestId('policy-rule').first().waitFor();
      await page.getByTestId('untrusted-none').waitFor();
    },
  },
  usage: {
    path: () => '/settings/usage',
    show: (page) =>
      page.locator('[data-testid="usage-figures"], svg[role="img"]').first().waitFor(),
  },
} satisfies Record<string, View>;

type ViewName = keyof typeof views;

/** The pictures that documents show, by their names. */
const pictures: Record<string, { view: ViewName; look: Look }> = {
  conversation: { view: 'conversation', look: { theme: 'light', locale: 'en', size: 'wide' } },
  'conversation-dark': {
    view: 'conversation',
    look: { theme: 'dark', locale: 'en', size: 'wide' },
  },
  'conversation-zh': { view: 'conversation', look: { theme: 'light', locale: 'zh', size: 'wide' } },
  'phone-dark': { view: 'approval', look: { theme: 'dark', locale: 'zh', size: 'phone' } },
  servers: { view: 'server', look: { theme: 'light', locale: 'en', size: 'wide' } },
  models: { view: 'models', look: { theme: 'light', locale: 'en', size: 'short' } },
  policy: { view: 'policy', look: { theme: 'light', locale: 'en', size: 'wide' } },
  approval: { view: 'approval', look: { theme: 'light', locale: 'en', size: 'short' } },
};

async function takePictures(): Promise<void> {
  const [app, browser] = await Promise.all([App.start(), launchChromium()]);
  try {
    const { context, page } = await app.signIn(browser, pictured(sizes.wide));
    const places = await prepare(app, page);
    const camera = new Camera(browser, app, context, places);
    mkdirSync(documented, { recursive: true });
    for (const [name, { view, look }] of Object.entries(pictures)) {
      const size = await camera.take(view, look, join(documented, `${name}.webp`));
      console.log(`${name}.webp  ${Math.round(size / 1024)} KB`);
      if (size > most) throw new Error(`${name} is too large.`);
    }
  } finally {
    await browser.close();
    await app.close();
  }
}

async function takeStations(folder: string): Promise<void> {
  const [app, browser, model] = await Promise.all([
    App.start(),
    launchChromium(),
    startFakeOpenAi(),
  ]);
  try {
    const { fake } = await tellModel(app, model);
    fake.respond({ chunks: textChunks([written]) });
    const topics = await prepareStations(app);
    mkdirSync(folder, { recursive: true });
    for (const look of [
      { theme: 'light', locale: 'en' },
      { theme: 'dark', locale: 'zh' },
    ] as const) {
      const { context, page } = await app.signIn(browser, {
        ...pictured(sizes.wide),
        isMobile: false,
      });
      await prefer(page, look);
      for (const [index, station] of stations.entries()) {
        await page.setViewportSize(sizes.desk);
        await page.goto(app.url + station.path(topics));
        await station.show(page);
        const name = `${String(index).padStart(2, '0')}-${station.name.replaceAll(/[^a-z]+/gi, '-')}`;
        for (const size of ['desk', 'phone'] as const) {
          await page.setViewportSize(sizes[size]);
          await settled(page);
          const path = join(folder, `${name}-${look.locale}-${size}.png`);
          await page.screenshot({ path, scale: 'css' });
        }
        console.log(name);
      }
      await context.close();
    }
  } finally {
    await browser.close();
    await Promise.all([app.close(), model.close()]);
  }
}

/** Has the conversations and settings that are shown; the newest stand first in the list. */
async function prepare(app: App, page: Page): Promise<Places> {
  await furnish(app);
  await converse(page, 'Read welcome.md');
  const zh = await talk(page, {
    answer: '现在东京几点？工作区里有哪些文件？',
    sources: '/call cite {"topic":"樱桃"}',
    approval: '把“樱桃六月成熟”写入文件 cherries.md',
  });
  const en = await talk(page, {
    answer: 'What time is it in Tokyo, and what files are in the workspace?',
    sources: 'Cite sources about cherries',
    approval: 'Write "Cherries are ripe in June" to cherries.md',
  });
  return { en, zh };
}

async function talk(page: Page, questions: Places[Locale]): Promise<Places[Locale]> {
  const sources = await converse(page, questions.sources);
  await newChat(page);
  await send(page, questions.approval);
  await page.getByTestId('approve').waitFor();
  const approval = `/t/${await topicOf(page)}`;
  return { answer: await converse(page, questions.answer), sources, approval };
}

/** What a host in use has: a provider, a server that waits, a few rules. */
async function furnish(app: App): Promise<void> {
  const post = (path: string, body: object) => app.api(path, { method: 'POST', body });
  const args = ['-y', '@modelcontextprotocol/server-everything'];
  await post('/servers', { type: 'stdio', name: 'everything', command: 'npx', args });
  const models = ['claude-opus-4-5', 'claude-sonnet-4-5'];
  await post('/providers', { name: 'Anthropic', kind: 'anthropic', apiKey: 'none', models });
  const local = { baseUrl: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b'] };
  await post('/providers', { name: 'Ollama', kind: 'openai-compatible', ...local });
  const policy = await app.api<{ rules: object[] }>('/policy');
  const rules = [
    { id: 'r1', action: 'allow', serverId: 'filesystem', toolName: 'read_*' },
    {
      id: 'r2',
      action: 'deny',
      serverId: 'filesystem',
      toolName: 'write_*',
      arguments: [{ pointer: '/path', prefix: 'secret/' }],
      note: 'Nothing is written there',
    },
    { id: 'r3', action: 'ask', annotations: { openWorld: true } },
  ];
  await app.api('/policy', { method: 'PUT', body: { ...policy, rules } });
}

async function newChat(page: Page): Promise<void> {
  await page.getByTestId('new-chat').click();
  await page.getByTestId('suggestion').first().waitFor();
}

/** Asks in a new conversation; resolves with its path. */
async function converse(page: Page, question: string): Promise<string> {
  await newChat(page);
  await ask(page, question);
  return `/t/${await topicOf(page)}`;
}

/** Takes pictures with one page a look. */
class Camera {
  readonly #pages = new Map<string, Promise<Page>>();
  readonly #browser: Browser;
  readonly #app: App;
  readonly #signedIn: BrowserContext;
  readonly #places: Places;

  constructor(browser: Browser, app: App, signedIn: BrowserContext, places: Places) {
    this.#browser = browser;
    this.#app = app;
    this.#signedIn = signedIn;
    this.#places = places;
  }

  /** Writes the picture; resolves with its bytes. */
  async take(name: ViewName, look: Look, file: string): Promise<number> {
    const view: View = views[name];
    const page = await this.#pageFor(look);
    await page.goto(this.#app.url + view.path(this.#places[look.locale]));
    await view.show(page);
    // Both approvals wait, and what comes last is there: the pickers, or the parts of the settings.
    await page.locator('[data-testid="inbox-bell"][data-count="2"]').waitFor();
    await page
      .locator(
        '[data-testid="model-picker"], [data-testid="settings-people"], [data-testid="server"]',
      )
      .first()
      .waitFor();
    const { width, height } = sizes[look.size];
    await page.mouse.move(width - 2, height / 2);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await settled(page);
    const bytes = await captureSmall(page);
    writeFileSync(file, bytes);
    return bytes.length;
  }

  #pageFor(look: Look): Promise<Page> {
    const key = JSON.stringify(look);
    const known = this.#pages.get(key);
    if (known) return known;
    const page = this.#openPage(look);
    this.#pages.set(key, page);
    return page;
  }

  async #openPage({ size, ...preferences }: Look): Promise<Page> {
    const storageState = await this.#signedIn.storageState();
    const context = await this.#browser.newContext({ storageState, ...pictured(sizes[size]) });
    const page = await context.newPage();
    await prefer(page, preferences);
    return page;
  }
}

/** Has the page look so from its next address on. */
function prefer(page: Page, preferences: Pick<Look, 'theme' | 'locale'>): Promise<unknown> {
  return page.addInitScript(
    (it) => localStorage.setItem('cerise.preferences', it),
    JSON.stringify(preferences),
  );
}

async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  });
}

/** As WebP, which is a fifth of a PNG and which only the browser itself can write here. */
async function captureSmall(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  await session.detach();
  return Buffer.from(data, 'base64');
}

function pictured(viewport: ViewportSize) {
  const isMobile = viewport === sizes.phone;
  const reducedMotion = 'reduce' as const;
  return { viewport, isMobile, hasTouch: isMobile, deviceScaleFactor: 2, reducedMotion };
}

const [, , folder] = process.argv;
await (folder === undefined ? takePictures() : takeStations(resolve(folder)));
