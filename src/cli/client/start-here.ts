import { randomBytes } from 'node:crypto';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { createHost, type Host } from '#chat/host/host.ts';
import { listen, type RunningServer } from '#server/listen.ts';
import { publicName } from '../messages/program-name.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { createLogger } from '../terminal/logger.ts';

/** A host with its page, in this process. */
export interface HostHere {
  host: Host;
  server: RunningServer;
  /** Lets this machine's command line in. */
  token: string;
}

/** Starts the host and serves it. Throws CeriseError, for instance `port_in_use`; then nothing is left running. */
export async function startHere(settings: CliSettings, io: Io): Promise<HostHere> {
  const token = randomBytes(24).toString('base64url');
  const host = await createHost({
    ...settings,
    hideEnvironment: io.env === process.env,
    command: publicName(),
    adminTokens: [settings.token ?? '', token].filter((each) => each !== ''),
    logger: createLogger(io),
  });
  const webRoot = join(programFolder(), 'dist/web');
  const server = await listen(host, { ...settings, localToken: token, webRoot }).catch(
    async (error: unknown) => {
      await host.close();
      throw error;
    },
  );
  return { host, server, token };
}

/** Where the program stands, whether it runs from its sources or from `dist`. */
function programFolder(): string {
  return dirname(findPackageJSON(import.meta.url) ?? import.meta.filename);
}
