import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '#client/client.ts';
import type { ServerView } from '#shared/api/api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import { connect } from '../client/connect.ts';
import type { CliSettings } from '../settings/settings.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { printLine, reasonText, stateWords } from '../printing/print.ts';
import type { Io } from '../terminal/io.ts';

/** Runs with the API, wherever it is, and closes it. */
export async function withClient<T>(
  settings: CliSettings,
  io: Io,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connect(settings, io);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** The same with one server, found by its name or id. */
export async function withServer<T>(
  settings: CliSettings,
  io: Io,
  name: string,
  work: (client: Client, server: ServerView) => Promise<T>,
): Promise<T> {
  return withClient(settings, io, async (client) => {
    const { servers } = await client.servers.list();
    return work(client, findServer(servers, name));
  });
}

/** A server by its name or id. Throws `server_not_found`, or `conflict` where several have the name. */
export function findServer(servers: ServerView[], name: string): ServerView {
  const byId = servers.find(({ id }) => id === name);
  if (byId) return byId;
  const exact = servers.filter((server) => server.name === name);
  const same = (server: ServerView) => server.name.toLowerCase() === name.toLowerCase();
  const found = exact.length > 0 ? exact : servers.filter(same);
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  if (first) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new CeriseError(
      'conflict',
      say('cli-several-servers')`Several servers are named ${name}.`,
      {
        hint: say('cli-use-id')`Use an ID instead: ${ids}.`,
      },
    );
  }
  const names = servers.map((server) => server.name);
  throw new CeriseError(
    'server_not_found',
    say('no-server-named')`There is no server named ${name.slice(0, 100)}.`,
    {
      hint: say(
        'cli-no-server-hint',
      )`Similar: ${nearestNames(name, names).join(', ')}. To see all servers, run: cerise mcp list`,
    },
  );
}

const pollMs = 1000;
/** So often somebody who waits is told that it goes on. */
const tellMs = 5000;

/** Waits while a server is being installed, and says how that goes. `quiet`: without a word. */
export async function awaitInstalled(
  { client, io, quiet }: { client: Client; io: Io; quiet: boolean },
  started: ServerView,
): Promise<ServerView> {
  let server = started;
  let toldAt = 0;
  while (server.state === 'installing') {
    if (!quiet && Date.now() - toldAt >= tellMs) {
      const text = terminalLine(`${stateWords(server.state)} ${reasonText(server)}`);
      printLine({ ...io, stdout: io.stderr }, `${terminalLine(server.name)}: ${text}`);
      toldAt = Date.now();
    }
    await delay(pollMs);
    server = await client.servers.read(server.id);
    // The install is over; what follows it takes a moment.
    while (server.state === 'connecting') {
      await delay(pollMs / 10);
      server = await client.servers.read(server.id);
    }
  }
  return server;
}
