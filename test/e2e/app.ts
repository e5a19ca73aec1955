import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { ServerView } from '#shared/api/api.ts';
import type { Conversation, Topic } from '#shared/vocabulary/message.ts';

const command = resolve(import.meta.dirname, '../../bin/built.mjs');
const builtPage = resolve(import.meta.dirname, '../../dist/web/index.html');
const token = 'bQ7xW2pLr9VtK4sZmN8c';
const patience = 20_000;

/** What a test may choose of the program it starts. */
export interface AppOptions {
  /** Milliseconds between the demo model's batches of words. */
  pace?: number | undefined;
  /** Further names it is reached by, as a proxy in front of it would be. */
  allowedHosts?: string;
  /** Further settings of its environment. */
  env?: Record<string, string>;
  /** Fills its home before it starts. */
  prepare?: (home: string) => Promise<void>;
}

/** How a browser presents itself. */
export interface BrowserOptions extends BrowserContextOptions {
  /** Whether its pages hear that they are idle, as in every browser but Safari. */
  idle?: boolean;
  /** Whether the page stays blank when it has signed in, for a test that opens an address at once. */
  blank?: boolean;
}

/** For tests of what moves. */
export const moving = { reducedMotion: 'no-preference' } as const;

/**
 * A browser of its own. Without motion, and without idle moments, in which pages try out how answers are drawn: both
 * take much processor time. The tests of a first answer, of touch and of layout move; two say that they are `idle`.
 */
export async function openBrowser(
  browser: Browser,
  { idle = false, ...options }: Omit<BrowserOptions, 'blank'> = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(patience);
  if (!idle)
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'requestIdleCallback'));
  return context;
}

/** The real program as a child process on a home of its own, with the built page. */
export class App {
  readonly home = mkdtempSync(join(tmpdir(), 'cerise-e2e-'));
  private options: AppOptions;
  private child: ChildProcess | undefined;
  private lines: LineWaiter | undefined;
  private port = 0;
  private isShared = false;
  url = '';

  private constructor(options: AppOptions) {
    this.options = options;
  }

  /** Starts it on a free port. */
  static async start(options: AppOptions = {}): Promise<App> {
    if (!existsSync(builtPage)) throw new Error('The page is not built: run `npm run build`.');
    const app = new App(options);
    await options.prepare?.(app.home);
    await app.launch();
    // A page that is opened asks registries that were not asked yet; tests bring their own.
    await app.api('/registry', { method: 'PUT', body: { registries: [] } });
    return app;
  }

  /** Others use it after whoever has it now: it ends with this process, which it does not keep. */
  share(): void {
    this.isShared = true;
    this.child?.unref();
    (this.child?.stdout as Socket | undefined)?.unref();
    process.once('exit', () => {
      this.child?.kill('SIGKILL');
      rmSync(this.home, { recursive: true, force: true });
    });
  }

  /** Ends it by the signal and starts it again on the same home and port, in another pace where told. */
  async restart(signal: 'SIGTERM' | 'SIGKILL', pace = this.options.pace): Promise<void> {
    await this.end(signal);
    this.options = { ...this.options, pace };
    await this.launch();
  }

  /** Kills it as a power cut would; nothing answers until it is revived. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Starts it again on the same home and port. */
  revive(): Promise<void> {
    return this.launch();
  }

  /** A new one-time link. */
  async nextLink(): Promise<string> {
    return (await this.api<{ url: string }>('/sign-in/link', { method: 'POST' })).url;
  }

  /** A browser of its own that has signed in by the next link. */
  async signIn(
    browser: Browser,
    { blank = false, ...options }: BrowserOptions = {},
  ): Promise<{ context: BrowserContext; page: Page }> {
    const context = await openBrowser(browser, options);
    const page = await context.newPage();
    const link = await this.nextLink();
    if (blank) await context.request.get(link);
    else {
      await page.goto(link);
      await page.getByTestId('composer').waitFor();
    }
    return { context, page };
  }

  /** Asks the API as a program does. */
  async api<T>(path: string, init: { method?: string; body?: unknown } = {}): Promise<T> {
    const response = await fetch(`${this.url}/api${path}`, {
      method: init.method ?? 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: init.body === undefined ? null : JSON.stringify(init.body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  conversation(topicId: string): Promise<Conversation> {
    return this.api<Conversation>(`/topics/${topicId}`);
  }

  async topics(): Promise<Topic[]> {
    return (await this.api<{ topics: Topic[] }>('/topics')).topics;
  }

  async servers(): Promise<ServerView[]> {
    return (await this.api<{ servers: ServerView[] }>('/servers')).servers;
  }

  /** Ends it and removes its home. */
  async close(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.home, { recursive: true, force: true, maxRetries: 3 });
  }

  private async launch(): Promise<void> {
    const child = spawn(process.execPath, [command, 'serve'], {
      env: {
        ...withoutOwn(process.env),
        CERISE_HOME: this.home,
        CERISE_PORT: String(this.port),
        CERISE_TOKEN: token,
        CERISE_DISCOVER: '0',
        CERISE_DEMO_PACE: String(this.options.pace ?? 1),
        // A test that is not about the pause decides at once.
        CERISE_LIMIT_DECISION_PAUSE: '0',
        ...(this.options.allowedHosts && { CERISE_ALLOWED_HOSTS: this.options.allowedHosts }),
        ...this.options.env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    this.lines = new LineWaiter(child);
    const ready = await this.printed(/http:/);
    this.url = /http:\S+/.exec(ready)?.[0] ?? '';
    this.port = Number(new URL(this.url).port);
  }

  private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.isShared) throw new Error('Others use this program: ask for an `own` one.');
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  private printed(pattern: RegExp): Promise<string> {
    if (!this.lines) throw new Error('The program was not started.');
    return this.lines.take(pattern);
  }
}

/** Hands out what a process prints, each line once. */
class LineWaiter {
  private readonly unread: string[] = [];
  private ended = false;
  private wake: () => void = () => undefined;

  constructor(child: ChildProcess) {
    if (!child.stdout) throw new Error('The output is not piped.');
    const reader = createInterface({ input: child.stdout });
    reader.on('line', (line) => {
      this.unread.push(line);
      this.wake();
    });
    reader.on('close', () => {
      this.ended = true;
      this.wake();
    });
  }

  /** The first line not taken yet that fits; waits for it. */
  async take(pattern: RegExp): Promise<string> {
    const deadline = AbortSignal.timeout(patience);
    for (;;) {
      const index = this.unread.findIndex((line) => pattern.test(line));
      if (index !== -1) return this.unread.splice(index, 1)[0] ?? '';
      if (this.ended || deadline.aborted) throw new Error(`The program never printed ${pattern}.`);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        deadline.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}

/** The settings of whoever runs the tests must not reach the program. */
function withoutOwn(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^CERISE_|_API_KEY$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)));
}
