import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';

/*
 * Every path a model gives goes through here. A path is walked with its links resolved, must stay in
 * the folder, and its folder is held open in the meantime: a link may be put in between.
 */

/** The real path of something that exists in the folder; links are followed as long as they stay inside. */
export async function locate(folder: string, path: string): Promise<string> {
  const { root, wanted } = await lexical(folder, path);
  const real = await realpath(wanted);
  if (!isInside(root, real)) throw outside(path);
  return real;
}

/**
 * Gives `use` a path to an entry itself, link or not, which may not exist yet; its folder must, or is
 * made. The path is good until `use` is done.
 */
export async function withEntry<T>(
  folder: string,
  path: string,
  makeFolders: boolean,
  use: (entry: string) => Promise<T>,
): Promise<T> {
  const { root, wanted } = await lexical(folder, path);
  if (wanted === root) {
    throw new CeriseError(
      'invalid_arguments',
      say('workspace-fixed')`The workspace folder itself can't be changed.`,
    );
  }
  const parent = await walk(root, dirname(wanted), makeFolders, path);
  await using held = await hold(root, parent, path);
  return await use(join(held.path, basename(wanted)));
}

/** Makes a folder and those above it. Says nothing if it is there already. */
export async function makeFolder(folder: string, path: string): Promise<void> {
  const { root, wanted } = await lexical(folder, path);
  const made = await walk(root, wanted, true, path);
  if (!(await lstat(made)).isDirectory()) {
    throw new CeriseError(
      'invalid_arguments',
      say('path-is-file')`${path} is a file, not a folder.`,
    );
  }
}

/** The bytes of a regular file of at most `maxSize` bytes. */
export async function readInside(folder: string, path: string, maxSize: number): Promise<Buffer> {
  const real = await locate(folder, path);
  const root = await realpath(folder);
  if (real === root)
    throw new CeriseError('invalid_arguments', say('path-is-folder')`${path} is a folder.`);
  await using held = await hold(root, dirname(real), path);
  const entry = join(held.path, basename(real));
  await requireFile(entry, path);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await using file = await open(entry, flags);
  const { size } = await file.stat();
  if (size > maxSize) throw tooLarge(path, maxSize);
  const buffer = Buffer.alloc(size);
  const { bytesRead } = await file.read(buffer, 0, size, 0);
  return buffer.subarray(0, bytesRead);
}

/** Writes a whole file: a reader sees the old content or the new, never a part. */
export async function writeInside(folder: string, path: string, content: Buffer): Promise<void> {
  await withEntry(folder, path, true, async (entry) => {
    const stats = await lstat(entry).catch(ignoreMissing);
    if (!stats?.isSymbolicLink()) return replaceFile(entry, path, content);
    const root = await realpath(folder);
    const target = await locate(folder, path);
    await using held = await hold(root, dirname(target), path);
    await replaceFile(join(held.path, basename(target)), path, content);
  });
}

async function replaceFile(target: string, path: string, content: Buffer): Promise<void> {
  const stats = await lstat(target).catch(ignoreMissing);
  const mode = stats ? (await requireFile(target, path)).mode & 0o777 : 0o644;
  const temporary = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    await using file = await open(temporary, 'wx', mode);
    await file.writeFile(content);
    await file.sync();
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(ignoreMissing);
    throw error;
  }
}

async function requireFile(entry: string, path: string): Promise<{ mode: number }> {
  const stats = await lstat(entry);
  if (stats.isFile()) return stats;
  throw new CeriseError(
    'invalid_arguments',
    stats.isDirectory()
      ? say('path-is-folder')`${path} is a folder.`
      : say('path-irregular')`${path} isn't a regular file.`,
  );
}

/**
 * Holds a folder open and looks where it really is. On Linux a path through the open folder leads to
 * it whatever becomes of its name; elsewhere the name is looked at once more, which leaves a moment.
 */
async function hold(
  root: string,
  real: string,
  path: string,
): Promise<AsyncDisposable & { path: string }> {
  if (process.platform !== 'linux') {
    if ((await realpath(real)) !== real) throw outside(path);
    return { path: real, [Symbol.asyncDispose]: async () => undefined };
  }
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const handle = await open(real, flags);
  const through = `/proc/self/fd/${handle.fd}`;
  if (!isInside(root, await readlink(through))) {
    await handle.close();
    throw outside(path);
  }
  return { path: through, [Symbol.asyncDispose]: () => handle.close() };
}

/** Goes down from the root, one real folder at a time. */
async function walk(
  root: string,
  wanted: string,
  makeFolders: boolean,
  path: string,
): Promise<string> {
  let current = root;
  for (const segment of relative(root, wanted).split(sep).filter(Boolean)) {
    const next = join(current, segment);
    if (makeFolders) await mkdir(next).catch(ignoreExisting);
    current = await realpath(next);
    if (!isInside(root, current)) throw outside(path);
  }
  return current;
}

/** The path as it is written, with `..` taken literally; absolute paths must lead into the folder. */
async function lexical(folder: string, path: string): Promise<{ root: string; wanted: string }> {
  if (path.includes('\0') || path.length > 4096) {
    throw new CeriseError('invalid_arguments', say('path-invalid')`The path isn't valid.`);
  }
  const root = await realpath(folder);
  const given = path === '/' || path === '' ? '.' : path;
  const fromFolder = isAbsolute(given) ? relative(resolve(folder), given) : given;
  const wanted =
    isAbsolute(given) && isInside(root, resolve(given))
      ? resolve(given)
      : resolve(root, fromFolder);
  if (!isInside(root, wanted)) throw outside(path);
  return { root, wanted };
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** How the workspace is shown: relative, with slashes. */
export function displayPath(root: string, path: string): string {
  return relative(root, path).split(sep).join('/') || '.';
}

/** Whether something is at a path, be it a broken link. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** An error of the system as a sentence without paths of the host. */
export function asFileError(error: unknown, path: string): unknown {
  if (error instanceof CeriseError) return error;
  const sentence = sentences[systemCode(error) ?? ''];
  if (!sentence) return error;
  const code = systemCode(error) === 'ENOENT' ? 'not_found' : 'tool_failed';
  return new CeriseError(code, say('file-error')`${path}: ${sentence}`, { cause: error });
}

const sentences: Record<string, Sentence | undefined> = {
  ENOENT: say('file-enoent')`there is no such file or folder in the workspace.`,
  ENOTDIR: say('file-enotdir')`part of the path is a file, not a folder.`,
  EISDIR: say('file-eisdir')`this is a folder.`,
  EEXIST: say('file-eexist')`this already exists.`,
  ENOTEMPTY: say('file-enotempty')`the folder isn't empty.`,
  EACCES: say('file-eacces')`permission denied.`,
  EPERM: say('file-eacces')`permission denied.`,
  EROFS: say('file-erofs')`the disk is read-only.`,
  ENOSPC: say('file-enospc')`the disk is full.`,
  EDQUOT: say('file-edquot')`the disk quota is used up.`,
  ELOOP: say('file-eloop')`the path contains a circular or newly added link.`,
  ENAMETOOLONG: say('file-enametoolong')`the name is too long.`,
  EINVAL: say('file-einval')`a folder can't be moved into itself.`,
  EXDEV: say('file-exdev')`this is on another disk.`,
  EBUSY: say('file-ebusy')`it is in use.`,
  EMFILE: say('file-emfile')`Cerise has too many open files. Try again later.`,
  ENFILE: say('file-enfile')`this machine has too many open files. Try again later.`,
};

function outside(path: string): CeriseError {
  return new CeriseError(
    'forbidden',
    say(
      'path-outside',
    )`${path.slice(0, 200)} is outside the workspace. Use a path relative to the workspace, such as notes/todo.txt.`,
  );
}

function tooLarge(path: string, maxSize: number): CeriseError {
  const message = say(
    'path-large',
  )`${path} is larger than ${Math.floor(maxSize / 1024 / 1024)} MiB.`;
  return new CeriseError('result_too_large', message);
}

function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}

function ignoreExisting(error: unknown): undefined {
  if (systemCode(error) !== 'EEXIST') throw error;
}
