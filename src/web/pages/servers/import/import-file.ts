import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

const mostBytes = 400_000;

/** Whether a file says to be a bundle. */
export function isBundleFile({ name }: File): boolean {
  return /\.(?:mcpb|dxt)$/i.test(name);
}

/** The text of a file that is to be imported. Throws CeriseError for what is none, with what to do. */
export async function readImportFile(file: File): Promise<string> {
  if (isBundleFile(file))
    throw new CeriseError(
      'invalid_server',
      say('bundle-file')`This is a bundle, not a list of servers.`,
      {
        hint: say('bundle-file-hint')`Install it with Add server → Bundle.`,
      },
    );
  if (file.size > mostBytes)
    throw new CeriseError(
      'file_too_large',
      say('list-file-large')`This file is too large to be a list of servers.`,
    );
  return file.text();
}
