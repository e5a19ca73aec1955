import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallbackOutcome, callbackPage } from '#server/pages/callback-page.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** A browser that came back from a sign-in and waits to be told what came of it. */
export interface Visit {
  url: string;
  answer(outcome: CallbackOutcome): Promise<void>;
}

/** Waits on a free port of this machine for the browser to come back. */
export class CallbackListener {
  readonly #server: Server;
  readonly #visit = Promise.withResolvers<Visit>();
  /** Undefined until it is known, and once its visit was taken: nobody else is let in. */
  #state: string | undefined;

  private constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  /** Listens before anybody can be sent here. */
  static async open(): Promise<CallbackListener> {
    const listener = new CallbackListener();
    listener.#server.listen(0, '127.0.0.1');
    await once(listener.#server, 'listening');
    return listener;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/callback`;
  }

  /** The one visit that carries this state; all others are turned away. */
  waitFor(state: string): Promise<Visit> {
    this.#state = state;
    return this.#visit.promise;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const languages = request.headers['accept-language'];
    const answer = (outcome: CallbackOutcome): Promise<void> =>
      send(response, callbackPage(outcome, { way: 'terminal', languages }));
    const own = new URL(this.url);
    const url = URL.parse(request.url ?? '', own);
    const isForUs = request.method === 'GET' && request.headers.host === own.host;
    if (!isForUs || url?.pathname !== own.pathname) return send(response, nothingHere());
    if (this.#state === undefined || url.searchParams.get('state') !== this.#state)
      return answer({ kind: 'failed', error: notWaiting() });
    this.#state = undefined;
    this.#visit.resolve({ url: url.href, answer });
  }
}

async function send(response: ServerResponse, page: Response): Promise<void> {
  response.writeHead(page.status, { ...Object.fromEntries(page.headers), connection: 'close' });
  response.end(await page.text());
  // A browser that went away has no need of the page.
  await Promise.race([once(response, 'finish'), once(response, 'close')]);
}

function nothingHere(): Response {
  return new Response('Nothing here.\n', { status: 404 });
}

function notWaiting(): CeriseError {
  return new CeriseError(
    'sign_in_failed',
    say('cli-other-sign-in')`This response doesn't belong to the current sign-in.`,
    {
      hint: say(
        'cli-other-sign-in-hint',
      )`Continue in the window of the current sign-in, or start again.`,
    },
  );
}
