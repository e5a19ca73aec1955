import { lstat, rename, rm, rmdir, unlink } from 'node:fs/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { mergeOrigins } from '#shared/vocabulary/origin.ts';
import { originsOf } from '../toolkit/tool-origins.ts';
import { adds, destroys, textResult } from '../toolkit/tool-result.ts';
import { attempt, decodeText } from './filesystem-read.ts';
import { isThere, withEntry, makeFolder, readInside, writeInside } from './workspace-files.ts';
import type { Workspace } from './workspace-words.ts';

const maxContentBytes = 5 * 1024 * 1024;

const pathSchema = z.string().min(1).max(4096);
const editSchema = z.object({
  oldText: z.string().min(1).describe('Exact text to replace; must occur exactly once'),
  newText: z.string().describe('What to put in its place'),
});

/** Runs one change after the other, so that two edits of one file do not undo each other. */
type InTurn = <T>(change: () => Promise<T>) => Promise<T>;

/** Registers the tools that change the workspace. */
export function registerWriting(server: McpServer, workspace: Workspace): void {
  const inTurn = oneAtATime();
  registerWriteFile(server, workspace, inTurn);
  registerEditFile(server, workspace, inTurn);
  registerCreateDirectory(server, workspace);
  registerMoveFile(server, workspace, inTurn);
  registerDeleteFile(server, workspace, inTurn);
}

function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (change) => {
    const result = last.then(change, change);
    last = result;
    return result;
  };
}

function registerWriteFile(server: McpServer, { folder, words }: Workspace, inTurn: InTurn): void {
  server.registerTool(
    'write_file',
    {
      title: 'Write a file',
      description:
        'Writes a text file in the workspace and creates missing folders. Replaces existing content.',
      inputSchema: z.object({
        path: pathSchema.describe('File, relative to the workspace'),
        content: z.string().describe('The complete new content'),
      }),
      annotations: { ...destroys, idempotentHint: true },
    },
    ({ path, content }, context) =>
      attempt(path, async () => {
        const bytes = contentBytes(content);
        await words.note(originsOf(context), path, bytes);
        await inTurn(() => writeInside(folder, path, bytes));
        return textResult(`Wrote ${bytes.length} bytes to ${path}.`);
      }),
  );
}

function registerEditFile(server: McpServer, { folder, words }: Workspace, inTurn: InTurn): void {
  server.registerTool(
    'edit_file',
    {
      title: 'Edit a file',
      description:
        'Replaces pieces of a text file in the workspace, all or none, and returns the changes.',
      inputSchema: z.object({
        path: pathSchema.describe('File, relative to the workspace'),
        edits: z.array(editSchema).min(1).max(100).describe('Replacements, applied in order'),
        dryRun: z.boolean().default(false).describe('Only show what would change'),
      }),
      annotations: destroys,
    },
    ({ path, edits, dryRun }, context) =>
      attempt(path, () =>
        inTurn(async () => {
          const before = await readInside(folder, path, maxContentBytes);
          let text = decodeText(before, path);
          const changes: string[] = [];
          for (const edit of edits) {
            const at = onlyPlace(text, edit.oldText, path);
            changes.push(describeEdit(text, at, edit));
            text = text.slice(0, at) + edit.newText + text.slice(at + edit.oldText.length);
          }
          if (!dryRun) {
            const bytes = contentBytes(text);
            const stays = await words.ofContents([{ path, bytes: before }]);
            await words.noteContent(mergeOrigins(originsOf(context), stays), bytes);
            await writeInside(folder, path, bytes);
          }
          return textResult(truncate(changes.join('\n'), 20_000));
        }),
      ),
  );
}

function onlyPlace(text: string, wanted: string, path: string): number {
  const at = text.indexOf(wanted);
  if (at !== -1 && text.indexOf(wanted, at + 1) === -1) return at;
  throw new CeriseError(
    'invalid_arguments',
    at === -1
      ? say(
          'edit-missing',
        )`"${truncate(wanted, 100)}" wasn't found in ${path}. Nothing was changed. Use the exact text of the file.`
      : say(
          'edit-twice',
        )`"${truncate(wanted, 100)}" occurs more than once in ${path}. Nothing was changed. Include more of the text around it.`,
  );
}

function describeEdit(
  text: string,
  at: number,
  { oldText, newText }: z.infer<typeof editSchema>,
): string {
  const line = text.slice(0, at).split('\n').length;
  const marked = (sign: string, piece: string): string =>
    piece === '' ? '' : `${piece.replace(/\n$/, '').replaceAll(/^/gm, sign)}\n`;
  return `@@ line ${line} @@\n${marked('- ', oldText)}${marked('+ ', newText)}`;
}

function registerCreateDirectory(server: McpServer, { folder, words }: Workspace): void {
  server.registerTool(
    'create_directory',
    {
      title: 'Create a folder',
      description: 'Creates a folder in the workspace, including missing parent folders.',
      inputSchema: z.object({ path: pathSchema.describe('Folder, relative to the workspace') }),
      annotations: adds,
    },
    ({ path }, context) =>
      attempt(path, async () => {
        await words.note(originsOf(context), path);
        await makeFolder(folder, path);
        return textResult(`The folder ${path} exists.`);
      }),
  );
}

function registerMoveFile(server: McpServer, { folder, words }: Workspace, inTurn: InTurn): void {
  server.registerTool(
    'move_file',
    {
      title: 'Move or rename',
      description:
        'Moves or renames a file or folder in the workspace. Never overwrites an existing one.',
      inputSchema: z.object({
        source: pathSchema.describe('What to move'),
        destination: pathSchema.describe('Its new path, with its name'),
      }),
      annotations: destroys,
    },
    ({ source, destination }, context) =>
      attempt(source, () =>
        inTurn(async () => {
          await words.note(originsOf(context), destination);
          await withEntry(folder, source, false, (from) => move(folder, from, destination));
          return textResult(`Moved ${source} to ${destination}.`);
        }),
      ),
  );
}

async function move(folder: string, from: string, destination: string): Promise<void> {
  await lstat(from);
  await withEntry(folder, destination, true, async (to) => {
    if (await isThere(to)) {
      const message = say(
        'file-exists',
      )`${destination} already exists. Delete it first, or choose another name.`;
      throw new CeriseError('conflict', message);
    }
    await rename(from, to);
  });
}

function registerDeleteFile(server: McpServer, { folder }: Workspace, inTurn: InTurn): void {
  server.registerTool(
    'delete_file',
    {
      title: 'Delete',
      description:
        'Deletes a file or an empty folder in the workspace, or a non-empty folder with recursive.',
      inputSchema: z.object({
        path: pathSchema.describe('File or folder, relative to the workspace'),
        recursive: z.boolean().default(false).describe('Also delete everything in the folder'),
      }),
      annotations: destroys,
    },
    ({ path, recursive }) =>
      attempt(path, () =>
        inTurn(async () => {
          await withEntry(folder, path, false, (entry) => remove(entry, recursive));
          return textResult(`Deleted ${path}.`);
        }),
      ),
  );
}

async function remove(entry: string, recursive: boolean): Promise<void> {
  const isFolder = (await lstat(entry)).isDirectory();
  if (!isFolder) await unlink(entry);
  else if (recursive) await rm(entry, { recursive: true });
  else await rmdir(entry);
}

function contentBytes(content: string): Buffer {
  const bytes = Buffer.from(content, 'utf8');
  if (bytes.length <= maxContentBytes) return bytes;
  throw new CeriseError('invalid_arguments', say('file-too-large')`A file can be up to 5 MiB.`);
}
