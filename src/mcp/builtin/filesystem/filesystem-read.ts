import { lstat, readdir, realpath } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { counted, say } from '#shared/errors/sentence.ts';
import { withOrigins } from '../toolkit/tool-origins.ts';
import { readOnly, textResult } from '../toolkit/tool-result.ts';
import { asFileError, locate, readInside, displayPath } from './workspace-files.ts';
import type { Workspace } from './workspace-words.ts';

/** No larger file is read as text. */
export const maxTextBytes = 10 * 1024 * 1024;
const maxMediaBytes = 5 * 1024 * 1024;
const maxShownChars = 200_000;
const maxEntries = 1000;

const pathSchema = z.string().min(1).max(4096);
const line = z.int().min(1);
const kind = z.enum(['file', 'directory', 'link', 'other']);

/** Registers the tools that look at one file or folder. */
export function registerReading(server: McpServer, workspace: Workspace): void {
  registerListDirectory(server, workspace);
  registerReadText(server, workspace);
  registerReadMedia(server, workspace);
  registerFileInfo(server, workspace);
}

function registerListDirectory(server: McpServer, { folder, words }: Workspace): void {
  server.registerTool(
    'list_directory',
    {
      title: 'List a folder',
      description: 'Lists the files and folders in a folder of the workspace, with sizes.',
      inputSchema: z.object({
        path: pathSchema.default('.').describe('Folder, relative to the workspace'),
      }),
      outputSchema: z.object({
        entries: z.array(z.object({ name: z.string(), type: kind, size: z.number().optional() })),
      }),
      annotations: readOnly,
    },
    ({ path }) =>
      attempt(path, async () => {
        const entries = await listEntries(await locate(folder, path));
        const shown = entries.map(({ name, type, size }) =>
          type === 'directory' ? `[DIR]  ${name}/` : `[FILE] ${name}${sizeText(size)}`,
        );
        const result = textResult(shown.join('\n') || 'The folder is empty.', { entries });
        return withOrigins(result, await words.ofNames(entries.map(({ name }) => name)));
      }),
  );
}

async function listEntries(
  real: string,
): Promise<{ name: string; type: z.infer<typeof kind>; size?: number }[]> {
  const names = (await readdir(real)).sort();
  if (names.length > maxEntries) {
    const message = say(
      'folder-too-many',
    )`The folder has ${names.length} entries, which is too many to list. Use search_files.`;
    throw new CeriseError('result_too_large', message);
  }
  const entries = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(real, name));
      const type = kindOf(stats);
      return stats.isFile() ? { name, type, size: stats.size } : { name, type };
    }),
  );
  return entries;
}

function registerReadText(server: McpServer, { folder, words }: Workspace): void {
  server.registerTool(
    'read_text_file',
    {
      title: 'Read a text file',
      description:
        'Returns the text of a file in the workspace: all of it, the first (head) or last (tail) ' +
        'lines, or the lines from start_line to end_line.',
      inputSchema: z.object({
        path: pathSchema.describe('File, relative to the workspace'),
        head: line.optional().describe('Return only this many lines from the start'),
        tail: line.optional().describe('Return only this many lines from the end'),
        start_line: line.optional().describe('First line to return, from 1'),
        end_line: line.optional().describe('Last line to return'),
      }),
      annotations: readOnly,
    },
    ({ path, ...range }) =>
      attempt(path, async () => {
        const bytes = await readInside(folder, path, maxTextBytes);
        const result = textResult(selectLines(decodeText(bytes, path), range));
        return withOrigins(result, await words.ofContents([{ path, bytes }]));
      }),
  );
}

interface LineRange {
  head?: number | undefined;
  tail?: number | undefined;
  start_line?: number | undefined;
  end_line?: number | undefined;
}

function selectLines(text: string, { head, tail, start_line, end_line }: LineRange): string {
  if (head !== undefined && tail !== undefined) {
    throw new CeriseError('invalid_arguments', say('head-or-tail')`Use head or tail, not both.`);
  }
  const lines = text.split(/(?<=\n)/);
  const first = tail === undefined ? (start_line ?? 1) : Math.max(1, lines.length - tail + 1);
  const last = Math.min(head ?? end_line ?? lines.length, lines.length);
  if (first > lines.length) {
    throw new CeriseError(
      'invalid_arguments',
      say('file-lines')`The file has only ${counted(lines.length, 'line')}.`,
    );
  }
  const part = lines.slice(first - 1, last).join('');
  if (part.length > maxShownChars) {
    const cut = part.slice(0, maxShownChars).replace(/[\uD800-\uDBFF]$/, '');
    const reached = first + cut.split('\n').length - 1;
    return `${cut}\n[Cut off in line ${reached} of ${lines.length}. Read on with start_line ${reached}.]`;
  }
  if (first === 1 && last === lines.length) return part;
  return `${part}${part.endsWith('\n') ? '' : '\n'}[Lines ${first} to ${last} of ${lines.length}]`;
}

/** The bytes as text. Throws for what is no UTF-8 text. */
export function decodeText(bytes: Buffer, path: string): string {
  try {
    if (bytes.includes(0)) throw new TypeError('NUL');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = say('file-no-text')`${path} isn't UTF-8 text. Try read_media_file.`;
    throw new CeriseError('invalid_arguments', message, { cause });
  }
}

const mediaTypes: Record<string, string | undefined> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
  '.m4a': 'audio/mp4',
  '.pdf': 'application/pdf',
};

function registerReadMedia(server: McpServer, { folder, words }: Workspace): void {
  server.registerTool(
    'read_media_file',
    {
      title: 'Read an image or sound',
      description: 'Returns an image, a sound or any other binary file of the workspace (≤ 5 MiB).',
      inputSchema: z.object({ path: pathSchema.describe('File, relative to the workspace') }),
      annotations: readOnly,
    },
    ({ path }) =>
      attempt(path, async (): Promise<CallToolResult> => {
        const bytes = await readInside(folder, path, maxMediaBytes);
        return withOrigins(mediaResult(path, bytes), await words.ofContents([{ path, bytes }]));
      }),
  );
}

function mediaResult(path: string, bytes: Buffer): CallToolResult {
  const data = bytes.toString('base64');
  const mimeType = mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream';
  if (mimeType.startsWith('image/')) return { content: [{ type: 'image', data, mimeType }] };
  if (mimeType.startsWith('audio/')) return { content: [{ type: 'audio', data, mimeType }] };
  const uri = `workspace:///${encodeURI(path.toWellFormed())}`;
  return { content: [{ type: 'resource', resource: { uri, mimeType, blob: data } }] };
}

function registerFileInfo(server: McpServer, { folder, words }: Workspace): void {
  server.registerTool(
    'get_file_info',
    {
      title: 'File information',
      description: 'Returns the type, size and times of a file or folder in the workspace.',
      inputSchema: z.object({ path: pathSchema.describe('File or folder') }),
      outputSchema: z.object({
        path: z.string(),
        type: kind,
        size: z.number(),
        modified: z.string(),
        created: z.string(),
        permissions: z.string(),
      }),
      annotations: readOnly,
    },
    ({ path }) =>
      attempt(path, async () => {
        const real = await locate(folder, path);
        const stats = await lstat(real);
        const info = {
          path: displayPath(await realpath(folder), real),
          type: kindOf(stats),
          size: stats.size,
          modified: stats.mtime.toISOString(),
          created: stats.birthtime.toISOString(),
          permissions: (stats.mode & 0o777).toString(8),
        };
        const lines = Object.entries(info).map(([name, value]) => `${name}: ${value}`);
        const result = textResult(lines.join('\n'), info);
        return withOrigins(result, await words.ofNames([info.path], path));
      }),
  );
}

/** Runs a file tool; errors of the system become sentences about the path that was asked for. */
export async function attempt(
  path: string,
  run: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    throw asFileError(error, path);
  }
}

function kindOf(stats: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): z.infer<typeof kind> {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

function sizeText(size: number | undefined): string {
  return size === undefined ? '' : ` (${size} bytes)`;
}
