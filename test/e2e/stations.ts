import type { Locator, Page } from 'playwright-core';
import type { SectionId } from '#web/pages/settings/sections.ts';
import { helloBundle, settings as bundleSettings } from '../fixtures/bundles.ts';
import { drop } from './drop.ts';
import { answers, inMenu } from './page.ts';

/** Conversations by what is in them. */
export type Topics = Record<
  'tour' | 'kinds' | 'written' | 'versions' | 'approval' | 'batch' | 'inputs',
  string
>;

/** A page, a dialog or a part of one that everybody must be able to use. */
export interface Station {
  name: string;
  path: (topics: Topics) => string;
  /** Opens what is to be seen and waits for it; without any word of a language. */
  show: (page: Page) => Promise<void>;
  /** What is new in it, where the rest of the page is a station of its own. */
  part?: string | undefined;
}

const inDialog = '[role="dialog"]';

const chat = (
  name: string,
  topic: keyof Topics,
  show: Station['show'],
  part?: string,
): Station => ({ name, path: (topics) => `/t/${topics[topic]}`, show, part });
const at = (name: string, path: string, show: Station['show'], part?: string): Station => ({
  name,
  path: () => path,
  show,
  part,
});

const composer: Station[] = [
  at('the first page', '/', seen('suggestion')),
  at('an address that leads nowhere', '/nowhere', seen('no-page')),
  at('a conversation that is gone', '/t/nothing', (page) =>
    page.getByRole('main').getByRole('heading').waitFor(),
  ),
  at(
    'the choice of a model',
    '/',
    opened('model-picker', (page) => page.getByTestId('option')),
    inDialog,
  ),
  at(
    'the choice of servers',
    '/',
    opened('server-picker', (page) => page.getByTestId('server-mark')),
    inDialog,
  ),
  at(
    'the choice of an assistant',
    '/',
    opened('assistant-picker', (page) => page.getByTestId('option')),
    inDialog,
  ),
  at(
    'the editor of assistants',
    '/',
    async (page) => {
      await page.getByTestId('assistant-picker').click();
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByRole('dialog').getByRole('textbox').nth(1).waitFor();
    },
    inDialog,
  ),
  at(
    'the list of commands',
    '/',
    async (page) => {
      await page.getByTestId('composer').fill('/');
      await page.getByTestId('suggestions').waitFor();
    },
    'main',
  ),
  at(
    'the keys and commands',
    '/',
    async (page) => {
      await page.getByTestId('composer').fill('/help');
      await page.getByTestId('send').click();
      await page.getByTestId('shortcuts').waitFor();
    },
    inDialog,
  ),
  at(
    'the palette',
    '/',
    opened('open-palette', (page) => page.getByTestId('palette').getByTestId('option')),
    inDialog,
  ),
  at(
    'what waits for a person',
    '/',
    opened('inbox-bell', (page) => page.getByTestId('inbox').getByTestId('approve')),
    inDialog,
  ),
];

const conversation: Station[] = [
  chat(
    'what can be done with a conversation',
    'tour',
    opened('topic-menu', (page) => page.getByRole('menuitem')),
    '[role="menu"]',
  ),
  chat('an answer with all its calls open', 'tour', openAll),
  chat(
    'errors, translations and summaries',
    'kinds',
    async (page) => {
      for (const type of ['error', 'translation', 'compact'])
        await page.locator(`[data-type="${type}"]`).first().waitFor();
      await openAll(page);
    },
    'main',
  ),
  chat(
    'code, tables, formulas and diagrams',
    'written',
    async (page) => {
      // What is far away is not drawn yet.
      await page.getByTestId('code').first().scrollIntoViewIfNeeded();
      for (const part of ['[data-testid="diagram"][data-state="drawn"]', 'math', '.hl-keyword'])
        await page.locator(part).first().waitFor();
    },
    'main',
  ),
  chat(
    'the timeline of an answer',
    'tour',
    async (page) => {
      await page.getByTestId('usage').last().click();
      await page.getByTestId('show-timeline').click();
      for (const row of [0, 1]) await page.getByTestId('timeline-row').nth(row).click();
    },
    inDialog,
  ),
  chat(
    'a branch of an answer',
    'versions',
    inMenuOf('branch', (page) => page.getByTestId('branch-save')),
    inDialog,
  ),
  chat(
    'two versions side by side',
    'versions',
    opened('compare', (page) => page.getByTestId('compared-step')),
    inDialog,
  ),
  chat('a call that asks', 'approval', seen('approve')),
  chat(
    'a call that is changed',
    'approval',
    opened('edit-arguments', (page) => page.getByTestId('edit-as-json')),
    'main',
  ),
  chat('several calls that ask', 'batch', seen('approval-batch'), 'main'),
  chat(
    'questions of a server',
    'inputs',
    (page) => page.getByTestId('input').nth(2).waitFor(),
    'main',
  ),
  chat(
    'the search in a conversation',
    'tour',
    async (page) => {
      await answers(page).first().waitFor();
      await page.keyboard.press('Control+f');
      await page.getByTestId('find').fill('the');
      await page.getByTestId('find-count').filter({ hasText: /\d/ }).waitFor();
    },
    '[data-testid="find-bar"]',
  ),
  chat(
    'a picture shown large',
    'tour',
    async (page) => {
      await page.locator('[data-large]').first().click();
      await page.getByTestId('lightbox').waitFor();
    },
    inDialog,
  ),
  chat(
    'the languages of a translation',
    'tour',
    inMenuOf('translate', (page) => page.getByTestId('languages')),
    '[data-testid="languages"]',
  ),
  chat(
    'what an answer took',
    'tour',
    opened('usage', (page) => page.getByTestId('usage-figures')),
    inDialog,
  ),
  chat(
    'the question before a message is deleted',
    'tour',
    inMenuOf('delete-message', (page) => page.getByRole('dialog')),
    inDialog,
  ),
];

const tab = (name: string): Station =>
  at(
    `a server: ${name}`,
    '/servers',
    async (page) => {
      const card = page.getByTestId('server').filter({ hasText: 'questions' });
      await card.getByRole('button').first().click();
      await card.getByTestId(`tab-${name}`).click();
      await card.getByRole('tabpanel').locator('p, li, dl, table, input').first().waitFor();
      if (name === 'tools') await openIn(card.getByTestId('tool').first());
    },
    '[role="tabpanel"]',
  );

const servers: Station[] = [
  at('the servers', '/servers', seen('server')),
  at('servers to install', '/servers/discover', seen('discover-entry')),
  at(
    'a server of the catalogue',
    '/servers/discover',
    opened('discover-entry', (page) => page.getByTestId('launch-facts')),
    inDialog,
  ),
  at(
    'the registries of the catalogue',
    '/servers/discover',
    async (page) => {
      await page.getByTestId('manage-registries').click();
      await page.getByTestId('limit').check();
      await page.getByTestId('limit-entries').waitFor();
    },
    inDialog,
  ),
  ...['tools', 'prompts', 'resources', 'logs', 'launch', 'why'].map(tab),
  at(
    'a server added by a form',
    '/servers',
    opened('add-server', (page) => page.getByTestId('create-server')),
    inDialog,
  ),
  at(
    'servers of another host',
    '/servers',
    async (page) => {
      await page.getByTestId('add-server').click();
      await page.getByTestId('import-tab').click();
      const one = { command: 'npx', args: ['-y', 'a-server'], env: { KEY: '${input:key}' } };
      const settings = { mcpServers: { one } };
      await page.getByTestId('import-text').fill(JSON.stringify(settings));
      await page.getByTestId('import-entry').waitFor();
      await page.getByTestId('import-questions').waitFor();
    },
    inDialog,
  ),
  at(
    'a command that waits for approval',
    '/servers',
    opened('review-server', (page) => page.getByTestId('approve-server')),
    inDialog,
  ),
  at(
    'the rehearsal of a changed server',
    '/servers',
    async (page) => {
      const card = page.getByTestId('server').filter({ hasText: 'rehearsed' });
      await card.getByTestId('review-server').click();
      await page.getByTestId('rehearse').click();
      await page.getByTestId('rehearse-start').click();
      await page.getByTestId('rehearsal').locator('[data-outcome]').first().waitFor();
    },
    '[role="dialog"]:last-of-type',
  ),
  at(
    'a bundle before it is installed',
    '/servers',
    async (page) => {
      await page.getByTestId('server').first().waitFor();
      await drop(page, 'hello.mcpb', helloBundle('node', bundleSettings));
      await page.getByTestId('bundle-preview').getByTestId('launch-facts').waitFor();
    },
    inDialog,
  ),
  at(
    'a server that is changed',
    '/servers',
    opened('edit-server', (page) => page.getByTestId('save-server')),
    inDialog,
  ),
  at(
    'the ways to export servers',
    '/servers',
    opened('export-servers', (page) => page.getByRole('menuitem')),
    '[role="menu"]',
  ),
];

const section = (name: string, ready: string): Station =>
  at(`the settings: ${name}`, `/settings/${name}`, seen(ready), 'main');
const dialog = (name: string, path: string, button: string, ready: string): Station =>
  at(
    name,
    `/settings/${path}`,
    opened(button, (page) => page.getByRole('dialog').getByTestId(ready)),
    inDialog,
  );

/** What each section of the settings shows once it is there; a new one does not compile without. */
export const settingsSections: Record<SectionId, string> = {
  appearance: 'language',
  notifications: 'notifications',
  models: 'add-provider',
  approvals: 'policy-tester',
  usage: 'usage',
  data: 'data',
  host: 'settings-host',
  log: 'log-level',
  account: 'sign-in-row',
  people: 'person',
  about: 'about',
};

const settings: Station[] = [
  ...Object.entries(settingsSections).map(([name, ready]) => section(name, ready)),
  dialog('a new provider', 'models', 'add-provider', 'vendor-search'),
  dialog('a new rule', 'approvals', 'add-rule', 'save-rule'),
  dialog('a new person', 'people', 'add-person', 'save-person'),
  dialog('a new key', 'account', 'add-key', 'save-key'),
];

/** Everything there is to see, in the order in which it is looked at. */
export const stations: Station[] = [...composer, ...conversation, ...servers, ...settings];

/** Whether a station is a whole page, and not only a dialog or a menu on one. */
export function isPage(part: Station['part']): boolean {
  return part === undefined || part === 'main';
}

/** Waits for something. */
function seen(testId: string): Station['show'] {
  return (page) => page.getByTestId(testId).first().waitFor();
}

/** Presses a button and waits for what it opens. */
function opened(button: string, what: (page: Page) => Locator): Station['show'] {
  return async (page) => {
    await page.getByTestId(button).first().click();
    await what(page).first().waitFor();
  };
}

/** Chooses an entry of the menu of the first answer. */
function inMenuOf(entry: string, what: (page: Page) => Locator): Station['show'] {
  return async (page) => {
    await inMenu(answers(page).first(), entry);
    await what(page).first().waitFor();
  };
}

/** Opens every line of a conversation that opens to more. */
async function openAll(page: Page): Promise<void> {
  const messages = page.getByTestId('message');
  await messages.first().waitFor();
  await openIn(messages);
  await messages.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Opens every line that opens to more, also those inside of what was opened. */
async function openIn(part: Locator): Promise<void> {
  const closed = part.locator('button[aria-expanded="false"]:not([aria-haspopup])');
  for (let depth = 0; depth < 4 && (await closed.count()) > 0; depth += 1)
    await closed.evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click();
    });
}
