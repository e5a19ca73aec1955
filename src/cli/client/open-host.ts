import { createClient } from '#client/client.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { connectInProcess, connectToRunning, type OpenClient } from './connect.ts';
import { startHere } from './start-here.ts';

/** How long running answers may go on when the terminal is left. */
const drainMs = 5_000;

/**
 * The running server of this data folder; else one is started in this process, so that the page can be opened too. If
 * its port is taken, the host runs without a page.
 */
export async function openHost(settings: CliSettings, io: Io): Promise<OpenClient> {
  const running = await connectToRunning(settings.home);
  if (running) return running;
  try {
    return await serveHere(settings, io);
  } catch (error) {
    if (!(error instanceof CeriseError) || error.code !== 'port_in_use') throw error;
    return connectInProcess(settings, io);
  }
}

async function serveHere(settings: CliSettings, io: Io): Promise<OpenClient> {
  const { host, server, token } = await startHere({ ...settings, logLevel: 'error' }, io);
  void host.servers.connectAll();
  const { url } = server;
  const client = createClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  const close = async () => {
    server.drain();
    await host.drain(drainMs);
    await server.stopListening(0);
    await host.close();
    await server.close();
  };
  return { ...client, url, close };
}
