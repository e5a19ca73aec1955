import { say, type Sentence, type Words } from '../errors/sentence.ts';
import { fullAccess, type ServerAccess } from '../vocabulary/server-access.ts';

/** What a local server may reach, in words: each place of its files, and the network. */
export function accessWords(access: ServerAccess = fullAccess): {
  files: Sentence[];
  network: Sentence;
} {
  return {
    files: fileWords(access.files),
    network: access.network ? say('access-network')`allowed` : say('access-no-network')`blocked`,
  };
}

function fileWords(files: ServerAccess['files']): Sentence[] {
  if (files === 'everything') return [say('access-all')`everything except Cerise's data folder`];
  if (files === 'own') return [say('access-own')`only its own folder`];
  const folders = files.folders.map(({ path, write }) =>
    write ? say('access-write')`${path} (read and write)` : say('access-read')`${path} (read-only)`,
  );
  return [say('access-own-too')`its own folder`, ...folders];
}

/** Why the system does not keep servers to their access; undefined where it does. */
export function notEnforced(
  sandbox: { works: boolean; reason?: Words | undefined } | undefined,
): Sentence | undefined {
  if (!sandbox || sandbox.works) return undefined;
  return say('access-not-enforced')`This machine can't enforce it. ${sandbox.reason ?? ''}`;
}
