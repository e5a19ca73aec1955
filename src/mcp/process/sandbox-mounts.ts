import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';

/** What a confined process sees of the machine. All paths are real: they go through no link. */
export interface SandboxView {
  access: ServerAccess;
  /** The server's own folder, and others that are as good as that: always seen, always writable. */
  own: readonly string[];
  /** Never seen, except for `own` and `readable` where they lie in it. */
  dataFolder: string;
  /** Programs and packages that it needs to run: seen, but not writable. */
  readable: readonly string[];
}

/** The folders of the system that every program needs. */
const systemFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];
/** The settings of the system that programs need and that hold no secret. */
const systemSettings =
  `alternatives ca-certificates.conf crypto-policies fonts gai.conf group host.conf hosts
  ld.so.cache ld.so.conf ld.so.conf.d locale.alias localtime mime.types nsswitch.conf os-release passwd
  pki/ca-trust pki/tls/cert.pem pki/tls/certs protocols resolv.conf services ssl/cert.pem ssl/certs
  ssl/openssl.cnf timezone`.split(/\s+/);

/**
 * What root keeps: whose files they are does not matter to it. Nothing that could take a mount away,
 * open a disk, look at other processes or listen to the network.
 */
const rootCapabilities =
  `CHOWN DAC_OVERRIDE FOWNER FSETID KILL NET_BIND_SERVICE SETGID SETUID`.split(' ');

/** The arguments of bubblewrap before the command. Mounts are made in this order, each over those before. */
export function sandboxArguments(view: SandboxView, cwd: string): string[] {
  const { access, own, readable, dataFolder } = view;
  const isAll = access.files === 'everything';
  // What lies in another folder is mounted after it.
  const folders = foldersOf(access).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return [
    // The end of the host, or of the process that watches over the namespace, ends everything in it.
    '--die-with-parent',
    '--unshare-pid',
    ...(isAll ? [] : ['--unshare-ipc', '--unshare-uts']),
    ...(access.network ? [] : ['--unshare-net']),
    ...(isAll ? wholeMachine() : system()),
    ...folders.filter(({ path }) => !isInside(path, dataFolder)).flatMap(folder),
    '--tmpfs',
    dataFolder,
    ...folders.filter(({ path }) => isInside(path, dataFolder)).flatMap(folder),
    ...readable.filter((path) => !isChosen(view, path)).flatMap(program),
    ...own.flatMap((path) => mount('--bind', path)),
    '--remount-ro',
    dataFolder,
    ...(isAll ? [] : ['--remount-ro', '/']),
    ...capabilities(),
    '--chdir',
    cwd,
    '--',
  ];
}

/** Whether a path that is there can be seen. */
export function canSee(view: SandboxView, path: string): boolean {
  const { access, own, readable, dataFolder } = view;
  if ([...own, ...readable].some((each) => isInside(path, each)) || isChosen(view, path))
    return true;
  return access.files === 'everything' ? !isInside(path, dataFolder) : isSystem(path);
}

/** The data folder is in no chosen folder, but one in the data folder may be chosen. */
function isChosen({ access, dataFolder }: SandboxView, path: string): boolean {
  const isHidden = isInside(path, dataFolder);
  return foldersOf(access).some(
    (each) => isInside(path, each.path) && isInside(each.path, dataFolder) === isHidden,
  );
}

/** Whether every confined process sees it, read-only. */
export function isSystem(path: string): boolean {
  return ['/usr', ...systemFolders].some((folder) => isInside(path, folder));
}

/** Whether a path is a folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../');
}

/** Root could open disks and change the kernel through files, so it gets neither. */
function wholeMachine(): string[] {
  const devices = isRoot()
    ? ['--dev', '/dev', ...mount('--bind', '/dev/shm'), ...mount('--ro-bind', '/sys')]
    : ['--dev-bind', '/dev', '/dev'];
  return ['--bind', '/', '/', ...devices, ...processes()];
}

function system(): string[] {
  return [
    ...mount('--ro-bind', '/usr'),
    ...systemFolders.flatMap((folder) => link(folder) ?? mount('--ro-bind', folder)),
    ...systemSettings.flatMap((name) => mount('--ro-bind', join('/etc', name))),
    ...processes(),
    '--dev',
    '/dev',
    ...['/tmp', '/var/tmp', '/run'].flatMap((folder) => ['--tmpfs', folder]),
  ];
}

/** Its own processes. What else is there belongs to the kernel, and root could change that. */
function processes(): string[] {
  const ofKernel = isRoot() ? ['sys', 'fs', 'acpi', 'scsi'] : [];
  const mounts = ofKernel.flatMap((name) => mount('--ro-bind', join('/proc', name)));
  return ['--proc', '/proc', ...mounts];
}

function foldersOf({ files }: ServerAccess) {
  return typeof files === 'string' ? [] : files.folders;
}

function folder({ path, write }: { path: string; write?: boolean | undefined }): string[] {
  return mount(write ? '--bind' : '--ro-bind', path);
}

function mount(how: '--bind' | '--ro-bind', path: string): string[] {
  return existsSync(path) ? [how, realpathSync(path), path] : [];
}

/** A program finds what it was installed with by where its link leads. */
function program(path: string): string[] {
  return isLink(path) ? ['--symlink', realpathSync(path), path] : mount('--ro-bind', path);
}

function link(path: string): string[] | undefined {
  return isLink(path) ? ['--symlink', readlinkSync(path), path] : undefined;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function capabilities(): string[] {
  if (!isRoot()) return [];
  return ['--cap-drop', 'ALL', ...rootCapabilities.flatMap((name) => ['--cap-add', `CAP_${name}`])];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
