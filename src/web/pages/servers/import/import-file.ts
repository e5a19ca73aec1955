import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

const mostBytes = 400_000;

/** The text of a file that is to be imported. Throws CeriseError for what is none, with what to do. */
export async function readImportFile(file: File): Promise<string> {
  if (/\.(?:mcpb|dxt)$/i.test(file.name))
    throw new CeriseError(
      'invalid_server',
      say('bundle-file')`MCP bundles can't be installed here.`,
      {
        hint: say(
          'bundle-file-hint',
        )`Unpack it, find the command in its manifest.json, and add it with the form.`,
      },
    );
  if (file.size > mostBytes)
    throw new CeriseError(
      'file_too_large',
      say('list-file-large')`This file is too large to be a list of servers.`,
    );
  return file.text();
}
