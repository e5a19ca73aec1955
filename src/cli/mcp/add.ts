import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServerView } from '#shared/api/api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { readOptions, readPairs, wrongUse } from './options.ts';
import { printJson, printLine } from './print.ts';
import { withClient } from './with-server.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';

const usage =
  'add NAME (--url URL | -- COMMAND ARGS…) [--env KEY=VALUE] [--header KEY=VALUE] ' +
  '[--files own | everything] [--read FOLDER] [--write FOLDER] [--no-network]';

/** `cerise mcp add NAME (--url URL | -- COMMAND ARGS…)` */
export async function add(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { config, json } = readServer(argv, io);
  return withClient(settings, io, async (client) => {
    const { servers } = await client.servers.list();
    if (servers.some(({ name }) => name === config.name))
      throw new CeriseError(
        'conflict',
        say('cli-server-exists')`A server named ${config.name} already exists.`,
      );
    const server = await client.servers.create(config);
    if (json) printJson(io, server);
    else printLine(io, tell(added(server)));
    return 0;
  });
}

/** What came of adding a server, and what to do next. */
export function added({ name, state }: ServerView): Sentence {
  const shown = terminalLine(name);
  if (state !== 'draft')
    return say(
      'cli-added',
    )`Added ${shown}. To check that it works, run: ${programName()} mcp doctor ${shown}`;
  return say(
    'cli-added-draft',
  )`Added ${shown}. It needs approval before it can run: ${programName()} mcp approve ${shown}`;
}

/** The words after `--` are the command, whatever they look like. */
function readServer(argv: string[], { env: own }: Io): { config: { name: string }; json: boolean } {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const [program, ...args] = argv.slice(end + 1);
  const { words, values } = readOptions(argv.slice(0, end), {
    usage,
    words: [1, 1],
    options: {
      url: { type: 'string' },
      type: { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
      header: { type: 'string', multiple: true, default: [] },
      cwd: { type: 'string' },
      files: { type: 'string' },
      read: { type: 'string', multiple: true, default: [] },
      write: { type: 'string', multiple: true, default: [] },
      'no-network': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { url, type, cwd, json } = values;
  if ((url === undefined) === (program === undefined))
    throw wrongUse(say('cli-url-or-command')`Use either --url URL or -- COMMAND.`, usage);
  const env = readPairs(values.env, usage, (key) => own[key]);
  const headers = readPairs(values.header, usage);
  const name = words[0] ?? '';
  const rest = {
    ...(type && { type }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(cwd && { cwd }),
    ...readAccess(values),
  };
  const target = url === undefined ? { type: 'stdio', command: program, args } : { url };
  return { config: { name, ...target, ...rest }, json };
}

/** What the server may reach, if anything is said of it. */
function readAccess(values: {
  files?: string | undefined;
  read: string[];
  write: string[];
  'no-network': boolean;
}): { access?: ServerAccess } {
  const network = !values['no-network'];
  const { files, read, write } = values;
  const folders = [
    ...read.map((path) => ({ path: realFolder(path) })),
    ...write.map((path) => ({ path: realFolder(path), write: true })),
  ];
  if (folders.length === 0 && files === undefined && network) return {};
  if (files !== undefined && (folders.length > 0 || (files !== 'own' && files !== 'everything')))
    throw wrongUse(
      say(
        'cli-files-how',
      )`Use --files own, --files everything, or --read and --write with folders.`,
      usage,
    );
  if (folders.length > 0) return { access: { files: { folders }, network } };
  return { access: { files: files === 'own' ? 'own' : 'everything', network } };
}

/** A folder as it is approved: with its whole path, through no link. */
function realFolder(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) ? realpathSync(whole) : whole;
}
