import { readFile } from 'node:fs/promises';
import type { Client } from '#client/client.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { SignInStartView } from '#shared/api/sign-in-api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { terminalLine, typedWord } from '../terminal/terminal-text.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { CallbackListener, type Visit } from '../client/callback-listener.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readPasted } from '../client/pasted-address.ts';
import { printJson, printLine, printState } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';

/** Nobody listens there: the browser shows the address, and the person brings it here. */
const nowhere = 'http://127.0.0.1:33418/callback';

/** `cerise mcp sign-in NAME`: through a browser on this machine, or with `--headless` on any other. */
export async function signIn(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands['sign-in']);
  return withServer(settings, io, words[0] ?? '', async (client, server) => {
    await setClient(client, server, values['client-id'], values['client-secret-file']);
    const listener = values.headless ? undefined : await CallbackListener.open();
    const interrupted = onInterrupt(io);
    try {
      const redirectUri = listener?.url ?? nowhere;
      const begun = await begin(client, server, redirectUri, io);
      const visit = await waitForVisit(
        io,
        begun,
        server,
        redirectUri,
        listener,
        interrupted.signal,
      );
      if (!visit) return 130;
      await finish(io, client, server, visit);
      const connected = await connect(client, server.id);
      if (values.json) printJson(io, connected);
      else printState(io, connected);
      return 0;
    } finally {
      interrupted.end();
      await listener?.close();
    }
  });
}

/** Where only a client of one's own helps, says how to name it here. */
async function begin(
  client: Client,
  server: ServerView,
  redirectUri: string,
  io: Io,
): Promise<SignInStartView> {
  try {
    return await client.servers.beginSignIn(server.id, redirectUri);
  } catch (error) {
    const { needs } = (toErrorInfo(error).details ?? {}) as { needs?: string };
    if (needs === 'client_id') {
      const how = say(
        'cli-own-client',
      )`To use a registered client, run: ${programName()} mcp sign-in ${typedWord(server.name)} --client-id ID --client-secret-file FILE. With --headless, the redirect URI is always ${nowhere}.`;
      io.stderr.write(`${tell(how)}\n`);
    }
    throw error;
  }
}

/** Undefined if the person gave up. Throws `timed_out` if nobody came in time. */
async function waitForVisit(
  io: Io,
  begun: SignInStartView,
  server: ServerView,
  redirectUri: string,
  listener: CallbackListener | undefined,
  interrupted: AbortSignal,
): Promise<Visit | undefined> {
  const terminal = openTerminal(io);
  const over = new AbortController();
  const url = checkedUrl(begun.authorizationUrl);
  const arrived = listener?.waitFor(begun.state);
  explain(terminal, server, url);
  const opened = listener !== undefined && openBrowser(url.href, io);
  const pastes = !listener || (!opened && terminal.interactive);
  terminal.write(advice(pastes, opened, redirectUri));
  const waits = [
    inTime(begun.expiresAt, over.signal),
    aborted(interrupted),
    ...(arrived ? [arrived] : []),
    ...(pastes ? [readPasted(terminal, { ...begun, redirectUri }, over.signal)] : []),
  ];
  try {
    return await Promise.race(waits);
  } finally {
    over.abort();
    if (pastes && terminal.interactive) terminal.write('\n');
  }
}

/** The browser is told what the terminal is told. */
async function finish(io: Io, client: Client, server: ServerView, visit: Visit): Promise<void> {
  try {
    await client.servers.finishSignIn(visit.url);
  } catch (error) {
    await visit.answer({ kind: 'failed', error: toErrorInfo(error) });
    throw error;
  }
  await visit.answer({ kind: 'signed-in', serverName: server.name });
  printLine(io, tell(say('cli-signed-in')`Signed in to ${terminalLine(server.name)}.`));
}

/** Signed in is signed in, also where the server then cannot be connected; its state says why. */
async function connect(client: Client, id: string): Promise<ServerView> {
  try {
    return await client.servers.act(id, 'connect');
  } catch (error) {
    if (!(error instanceof CeriseError)) throw error;
    return client.servers.read(id);
  }
}

/** For authorization servers where clients are registered by hand. */
async function setClient(
  client: Client,
  server: ServerView,
  clientId: string | undefined,
  secretFile: string | undefined,
): Promise<void> {
  if (clientId === undefined) return;
  const { auth = {} } = server.config as { auth?: object };
  const secret = secretFile === undefined ? undefined : await readSecret(secretFile);
  const changed = { ...auth, clientId, ...(secret && { clientSecret: secret }) };
  await client.servers.update(server.id, { auth: changed });
}

async function readSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new CeriseError('invalid_request', say('cli-cannot-read')`Can't read ${file}.`, {
      cause,
    });
  }
}

function explain(terminal: Terminal, { name }: ServerView, url: URL): void {
  const title = tell(say('cli-sign-in-at')`Sign in to ${terminalLine(name)} at ${url.host}:`);
  terminal.write(`${title}\n\n  ${url.href}\n\n`);
}

function advice(pastes: boolean, opened: boolean, redirectUri: string): string {
  const end = say('cli-sign-in-end')`Press Ctrl-C to cancel. It expires after 5 minutes.`;
  const what = opened
    ? say('cli-sign-in-opened')`Continue in your browser.`
    : !pastes
      ? say('cli-sign-in-open')`Open this URL in a browser on this machine.`
      : say(
          'cli-sign-in-paste',
        )`Open this URL in any browser and sign in. You'll be redirected to a URL that starts with ${redirectUri}, which may not load. Paste that whole URL here.`;
  return `${tell(what)} ${tell(end)}\n`;
}

/** Only what a browser may be sent to; an address is an argument of a program here. */
function checkedUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new CeriseError(
    'sign_in_failed',
    say('cli-sign-in-address')`The sign-in URL isn't a web URL.`,
  );
}

async function inTime(expiresAt: number, signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = (): void =>
    reject(
      new CeriseError(
        'timed_out',
        say('cli-sign-in-late')`The sign-in wasn't completed within 5 minutes.`,
        {
          hint: say('cli-sign-in-again')`Start the sign-in again.`,
        },
      ),
    );
  const timer = setTimeout(late, Math.max(0, expiresAt - Date.now()));
  signal.addEventListener('abort', () => clearTimeout(timer));
  return promise;
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  signal.addEventListener('abort', () => resolve(undefined));
  return promise;
}

/** Ctrl-C ends the waiting; a second one ends the program. */
function onInterrupt(io: Io): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) io.exit(130);
    controller.abort();
  };
  return { signal: controller.signal, end: io.onSignal('SIGINT', onSignal) };
}
