import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, textOf, type Words } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { fullAccess, type ServerAccess } from '#shared/vocabulary/server-access.ts';
import { type Bubblewrap, lookForBubblewrap } from './bubblewrap.ts';
import { thisMachine } from './find-program.ts';
import type { Launch } from './resolve-command.ts';
import { canSee, isInside, sandboxArguments, type SandboxView } from './sandbox-mounts.ts';
import { programPaths } from './sandbox-programs.ts';
import { commandNotFound, startError } from './start-error.ts';

/** What the install of a package may reach: the network, the folder it goes to, and what npm needs. */
export const installAccess: ServerAccess = { files: 'own', network: true };

/** What the sandbox of a host is made from. */
export interface SandboxOptions {
  /** No server sees it. */
  dataFolder: string;
  /** Whether servers start only where they can be confined; asked at each start. */
  isRequired?: () => Promise<boolean>;
  /** The program that confines; absent: it is looked for. False: there is none. */
  bubblewrap?: string | false | undefined;
}

/** Where a process runs and what it may reach. */
export interface Confinement {
  access?: ServerAccess | undefined;
  /** Its own folder; made if it is not there. */
  own: string;
  /** Absent: its own folder. */
  cwd?: string | undefined;
  /** Variables that its config sets: they stay as they are. */
  env: Record<string, string>;
  /** Folders that it reads though its access does not say so: where its package is installed. */
  readable?: readonly string[];
  /** Folders that it writes to though its access does not say so; made if they are not there. */
  writable?: readonly string[];
}

/** What is started in the end. */
export interface Start extends Launch {
  cwd?: string | undefined;
  isConfined: boolean;
  notes: string[];
}

/** Confines the processes of local servers by what the kernel offers, as far as it does. */
export class Sandbox {
  readonly #options: SandboxOptions;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** The folder that is a server's own. Whatever its id is, it is one folder among those of servers. */
  folderOf(serverId: string): string {
    const isPlain = /^[\w-]{1,100}$/.test(serverId);
    const name = isPlain ? serverId : createHash('sha256').update(serverId).digest('hex');
    return join(this.#options.dataFolder, 'servers', name);
  }

  /** With a server goes what it kept in its folder, as far as that can be removed. */
  async removeFolder(serverId: string): Promise<void> {
    try {
      await rm(this.folderOf(serverId), { recursive: true, force: true });
    } catch (error) {
      // It made files that we may not remove; the server itself is gone.
      if (systemCode(error) === undefined) throw error;
    }
  }

  /** Those of the paths, which are there, that neither lie in the data nor have it in them. */
  outsideData(paths: readonly string[]): string[] {
    const { dataFolder } = this.#options;
    const data = existsSync(dataFolder) ? realpathSync(dataFolder) : resolve(dataFolder);
    return paths.filter((path) => {
      const real = realpathSync(path);
      return !isInside(real, data) && !isInside(data, real);
    });
  }

  /** Whether processes can be confined here, found out once by confining one. */
  state(): Promise<Bubblewrap> {
    return lookForBubblewrap(this.#options.bubblewrap);
  }

  /**
   * The start that is really made of one that was asked for. Where nothing can be confined it stays as
   * it is and says so, unless an admin demands otherwise. Throws CeriseError.
   */
  async confine(launch: Launch, confinement: Confinement): Promise<Start> {
    const { own, cwd = own } = confinement;
    for (const folder of [own, ...(confinement.writable ?? [])])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    const bubblewrap = await this.state();
    if ('reason' in bubblewrap) {
      if (await this.#options.isRequired?.()) throw sandboxMissing(bubblewrap.reason);
      return {
        ...launch,
        cwd,
        isConfined: false,
        notes: [`not confined: ${textOf(bubblewrap.reason)}`],
      };
    }
    const file = resolve(cwd, launch.file);
    assertProgram(file);
    const view = this.#view(file, launch.environment, confinement);
    const folder = realpathSync(cwd);
    if (!canSee(view, folder)) throw folderUnseen(cwd);
    const unseen = launch.args.filter((word) => isUnseen(view, word));
    return {
      file: bubblewrap.program,
      args: [...sandboxArguments(view, folder), file, ...launch.args],
      environment: environmentIn(view, launch.environment, confinement.env),
      cwd: '/',
      isConfined: true,
      notes: unseen.map((word) => `not visible to this server: ${word}`),
    };
  }

  #view(file: string, environment: Record<string, string>, given: Confinement): SandboxView {
    const { access = fullAccess, own, readable = [], writable = [] } = given;
    const dataFolder = realpathSync(this.#options.dataFolder);
    const isAll = access.files === 'everything';
    if (typeof access.files === 'object')
      for (const { path } of access.files.folders) assertFolder(path, dataFolder);
    return {
      access,
      own: [own, ...writable].map((path) => realpathSync(path)),
      dataFolder,
      readable: [
        ...readable.map((path) => realpathSync(path)),
        ...(isAll ? [] : programPaths(file, environment)),
      ],
    };
  }
}

/** Where the real home is not seen, the own folder stands for it. */
function environmentIn(
  { access, own: [home = '/tmp'] }: SandboxView,
  environment: Record<string, string>,
  fixed: Record<string, string>,
): Record<string, string> {
  if (access.files === 'everything') return environment;
  const isUnseenPlace = (name: string): boolean => /^(TMPDIR|TEMP|TMP|XDG_.+)$/.test(name);
  const inherited = Object.entries(environment).filter(([name]) => !isUnseenPlace(name));
  return { ...Object.fromEntries(inherited), HOME: home, ...fixed };
}

function assertProgram(file: string): void {
  const look = thisMachine.look(file);
  if (look === 'none') throw commandNotFound(file);
  if (look === 'not-executable')
    throw startError(file, Object.assign(new Error(file), { code: 'EACCES' }));
}

function isUnseen(view: SandboxView, word: string): boolean {
  if (!isAbsolute(word) || !existsSync(word)) return false;
  return !canSee(view, realpathSync(word));
}

/** A link could lead elsewhere at each start, so what was approved is the folder itself. */
function assertFolder(path: string, dataFolder: string): void {
  const refuse = (why: Words, hint: Words): never => {
    throw new CeriseError('invalid_server', why, { hint });
  };
  const fix = say('access-fix')`Change the folders under Access in this server's settings.`;
  if (!isAbsolute(path) || !statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return refuse(say('access-no-folder')`The folder ${path} doesn't exist.`, fix);
  const real = realpathSync(path);
  if (real !== path)
    return refuse(say('access-link')`The folder ${path} resolves to ${real}.`, fix);
  const isSpecial = ['/proc', '/sys', '/dev'].some((each) => isInside(path, each));
  if (path === '/' || (isSpecial && !isInside(path, '/dev/shm')))
    return refuse(say('access-special')`The folder ${path} can't be shared with servers.`, fix);
  const shared = ['workspace', 'workspaces'].map((name) => join(dataFolder, name));
  if (isInside(path, dataFolder) && !shared.some((each) => isInside(path, each)))
    return refuse(say('access-data')`The folder ${path} is part of Cerise's data.`, fix);
}

function folderUnseen(cwd: string): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('access-cwd')`The server can't see its working directory ${cwd}.`,
    {
      hint: say(
        'access-cwd-hint',
      )`Add it under Access in this server's settings, or clear the working directory.`,
    },
  );
}

function sandboxMissing(reason: Words): CeriseError {
  return new CeriseError(
    'sandbox_missing',
    say(
      'sandbox-missing',
    )`This host only starts local servers in a sandbox, which isn't available: ${reason}`,
    {
      hint: say(
        'sandbox-missing-hint',
      )`Install bubblewrap, or disable "Require the sandbox" in Settings.`,
    },
  );
}
