import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { truncate } from '#shared/text/text.ts';
import { mergeOrigins, type Origin } from '#shared/vocabulary/origin.ts';
import { withOrigins } from '../toolkit/tool-origins.ts';
import { readOnly, textResult } from '../toolkit/tool-result.ts';
import { attempt, decodeText } from './filesystem-read.ts';
import { matchesGlob } from './glob.ts';
import { locate, readInside, displayPath } from './workspace-files.ts';
import type { Workspace, WorkspaceWords } from './workspace-words.ts';

const maxVisited = 20_000;
const maxMatches = 200;
const maxTree = 1000;
const maxSearchedBytes = 1024 * 1024;

const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .default('.')
  .describe('Folder to search in, relative to the workspace');

/** Registers the tools that go through a folder and all that is in it. */
export function registerSearch(server: McpServer, workspace: Workspace): void {
  registerSearchFiles(server, workspace);
  registerTree(server, workspace);
}

function registerSearchFiles(server: McpServer, { folder, words }: Workspace): void {
  server.registerTool(
    'search_files',
    {
      title: 'Search files',
      description:
        'Finds files and folders of the workspace by name (a part of it, or a pattern such as ' +
        '"*.csv" or "notes/**"), and files by the text they contain.',
      inputSchema: z.object({
        path: pathSchema,
        pattern: z
          .string()
          .max(500)
          .default('*')
          .describe('Part of a name, or pattern with * ? **'),
        text: z
          .string()
          .min(1)
          .max(500)
          .optional()
          .describe('Only files that contain this text (case-insensitive)'),
      }),
      outputSchema: z.object({
        matches: z.array(z.object({ path: z.string(), line: z.string().optional() })),
        complete: z.boolean(),
      }),
      annotations: readOnly,
    },
    ({ path, pattern, text }, { mcpReq }) =>
      attempt(path, async () => {
        const { files, complete } = await search(folder, path, { pattern, text }, mcpReq.signal);
        const matches = files.map(({ bytes: _, ...match }) => match);
        const lines = matches.map(({ path, line }) =>
          line === undefined ? path : `${path}: ${line}`,
        );
        if (!complete)
          lines.push('[More results exist. Search a smaller folder or be more specific.]');
        const result = textResult(lines.join('\n') || 'No matches found.', { matches, complete });
        return withOrigins(result, await originsOfMatches(words, files, path));
      }),
  );
}

interface Match {
  path: string;
  line?: string;
  /** Of the file that the line is from. */
  bytes?: Buffer;
}

/** Matches tell the names of files, and lines of those that were looked into. */
async function originsOfMatches(
  words: WorkspaceWords,
  matches: readonly Match[],
  start: string,
): Promise<Origin[]> {
  const files = matches.flatMap(({ path, bytes }) => (bytes ? [{ path, bytes }] : []));
  const names = matches.map(({ path }) => path);
  return mergeOrigins(await words.ofContents(files), await words.ofNames(names, start));
}

async function search(
  folder: string,
  path: string,
  wanted: { pattern: string; text?: string | undefined },
  signal: AbortSignal,
): Promise<{ files: Match[]; complete: boolean }> {
  const root = await realpath(folder);
  const start = await locate(folder, path);
  const files: Match[] = [];
  let visited = 0;
  for await (const { path: place, entry } of descend(start)) {
    signal.throwIfAborted();
    visited += 1;
    if (visited > maxVisited || files.length >= maxMatches) return { files, complete: false };
    if (!matchesGlob(displayPath(start, place), wanted.pattern)) continue;
    const shown = displayPath(root, place);
    if (wanted.text === undefined) files.push({ path: shown });
    else if (entry.isFile()) {
      const match = await lineWith(folder, shown, wanted.text);
      if (match) files.push({ path: shown, ...match });
    }
  }
  return { files, complete: true };
}

/** The first line of a file that contains the text. Files that cannot be searched have none. */
async function lineWith(
  folder: string,
  path: string,
  text: string,
): Promise<{ line: string; bytes: Buffer } | undefined> {
  const wanted = text.toLowerCase();
  try {
    const bytes = await readInside(folder, path, maxSearchedBytes);
    const lines = decodeText(bytes, path).split('\n');
    const line = lines.find((candidate) => candidate.toLowerCase().includes(wanted));
    return line === undefined ? undefined : { line: truncate(line.trim(), 200), bytes };
  } catch (error) {
    if (error instanceof CeriseError || systemCode(error) !== undefined) return undefined;
    throw error;
  }
}

function registerTree(server: McpServer, { folder, words }: Workspace): void {
  server.registerTool(
    'directory_tree',
    {
      title: 'Folder tree',
      description: 'Shows a folder of the workspace with everything in it as an indented tree.',
      inputSchema: z.object({
        path: pathSchema,
        depth: z.int().min(1).max(20).default(5).describe('How many levels to show'),
      }),
      annotations: readOnly,
    },
    ({ path, depth }, { mcpReq }) =>
      attempt(path, async () => {
        const lines: string[] = [];
        const names: string[] = [];
        for await (const { entry, level } of descend(await locate(folder, path), depth)) {
          mcpReq.signal.throwIfAborted();
          if (lines.length >= maxTree) {
            lines.push('[More entries exist. Show a subfolder instead.]');
            break;
          }
          lines.push(`${'  '.repeat(level)}${entry.name}${entry.isDirectory() ? '/' : ''}`);
          names.push(entry.name);
        }
        const result = textResult(lines.join('\n') || 'The folder is empty.');
        return withOrigins(result, await words.ofNames(names));
      }),
  );
}

interface Visit {
  path: string;
  entry: Dirent;
  level: number;
}

/** Everything below a real folder in the order of a tree. Links are shown but not followed. */
export async function* descend(folder: string, depth = 50, level = 0): AsyncGenerator<Visit> {
  if (level >= depth || (await realpath(folder)) !== folder) return;
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    yield { path, entry, level };
    if (entry.isDirectory()) yield* descend(path, depth, level + 1);
  }
}
