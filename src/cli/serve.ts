import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createHost } from '#chat/host.ts';
import { listen } from '#server/listen.ts';
import { armFault } from '#shared/fault.ts';
import { createLogger } from './logger.ts';
import { openBrowser } from './open-browser.ts';
import type { CliSettings } from './settings.ts';

/** How long requests and answers may go on after the first signal to end. */
const drainTime = 25_000;

/** `cerise serve`: runs until a signal, then drains; a second signal ends at once. */
export async function serve(settings: CliSettings, env: NodeJS.ProcessEnv): Promise<number> {
  const signalled = firstSignal();
  if (settings.fault) armFault(settings.fault, () => process.kill(process.pid, 'SIGKILL'));
  const logger = createLogger(settings.logLevel);
  const localToken = randomBytes(24).toString('base64url');
  const host = await createHost({
    ...settings,
    hideEnvironment: true,
    adminTokens: [settings.token ?? '', localToken].filter((token) => token !== ''),
    logger,
  });
  const printLink = (before: string) =>
    process.stdout.write(`${before}  ${server.url}/sign-in?code=${host.signIns.code}\n`);
  const server = await listen(host, {
    ...settings,
    localToken,
    logger,
    webRoot: join(import.meta.dirname, '../../dist/web'),
    onSignIn: () => printLink('A browser signed in. Link for the next one:'),
  }).catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  // Whoever read what we print may be gone; that ends nothing.
  process.stdout.on('error', () => undefined);
  process.stdout.write(`Cerise is ready at ${server.url}\n`);
  printLink('Sign your browser in once with:');
  void host.servers.connectAll();
  openBrowser(`${server.url}/sign-in?code=${host.signIns.code}`, env);

  await signalled;
  process.stdout.write('Ending. Running answers have 25 seconds; a second signal ends at once.\n');
  const deadline = performance.now() + drainTime;
  server.drain();
  await server.settle(drainTime);
  const left = () => Math.max(0, deadline - performance.now());
  await host.drain(left());
  await server.stopListening(left());
  await host.close();
  await server.close();
  return 0;
}

/** Listens from the beginning, so that no signal falls between being ready and being heard. */
async function firstSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (seen) process.exit(1);
      seen = true;
      resolve();
    });
  await promise;
}
