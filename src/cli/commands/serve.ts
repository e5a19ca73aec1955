import type { Host } from '#chat/host/host.ts';
import { armFault } from '#shared/errors/fault.ts';
import { startHere } from '../client/start-here.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { linkNote } from './sign-in.ts';
import { say } from '#shared/errors/sentence.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** How long requests and answers may go on after the first signal to end. */
const drainMs = 25_000;

/** `cerise serve`: runs until a signal, then drains; a second signal ends at once. */
export async function serve(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  readOptions(argv, commands.serve);
  const signalled = firstSignal(io);
  if (settings.fault) armFault(settings.fault, () => process.kill(process.pid, 'SIGKILL'));
  const { host, server } = await startHere(settings, io);
  // The reader of our output may be gone; the host goes on.
  io.stdout.on('error', () => undefined);
  const link = await makeLink(io, host, server.url);
  io.stdout.write(greeting(server.url, settings, link));
  void host.servers.connectAll();
  if (link) openBrowser(link, io);

  await signalled;
  io.stdout.write(
    `${tell(say('cli-ending')`Shutting down. Running answers have 25 seconds to finish. Send the signal again to stop immediately.`)}\n`,
  );
  const deadline = performance.now() + drainMs;
  server.drain();
  await server.settle(drainMs);
  const left = () => Math.max(0, deadline - performance.now());
  await host.drain(left());
  await server.stopListening(left());
  await host.close();
  await server.close();
  return 0;
}

/** A link is for the person at this terminal; anything else may be a log that others read. */
async function makeLink(io: Io, host: Host, url: string): Promise<string | undefined> {
  if (!io.stdout.isTTY || !host.signIns.links.isOn) return undefined;
  return `${url}/sign-in?code=${(await host.signIns.links.make()).code}`;
}

/** What is printed when all is ready. */
export function greeting(
  url: string,
  { signInLink }: Pick<CliSettings, 'signInLink'>,
  link: string | undefined,
): string {
  const ready = `${tell(say('cli-ready')`Cerise is ready at ${url}`)}\n`;
  if (link) return `${ready}${tell(linkNote)}\n  ${link}\n`;
  if (!signInLink) return ready;
  return `${ready}${tell(say('cli-to-sign-in')`To sign in, run: ${programName()} sign-in`)}\n`;
}

/** Listens from the beginning, so that no signal falls between being ready and being heard. */
async function firstSignal(io: Io): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    io.onSignal(signal, () => {
      if (seen) io.exit(1);
      seen = true;
      resolve();
    });
  await promise;
}
