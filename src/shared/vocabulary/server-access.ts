import type { ServerAccess } from './server/access-schema.ts';

export type { ServerAccess };

/** What a server has whose config does not say. */
export const fullAccess: ServerAccess = { files: 'everything', network: true };

/** The part of the launch that access is: nothing where it is full, so that what was approved without it holds. */
export function accessFields(access: ServerAccess = fullAccess): unknown[] {
  if (access.files === 'everything' && access.network) return [];
  const { files, network } = access;
  return [typeof files === 'string' ? files : sortedFolders(files.folders), network];
}

/** Whether a server has less than full access. */
export function isLimited(access: ServerAccess | undefined): boolean {
  return accessFields(access).length > 0;
}

function sortedFolders(folders: readonly { path: string; write?: boolean | undefined }[]) {
  const lines = folders.map(({ path, write }) => [path, write === true] as const);
  return lines.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Whether one access gives nothing that the other does not. Folders are compared by their names alone:
 * a folder inside another may be a link that leads out of it.
 */
export function isNarrower(
  access: ServerAccess = fullAccess,
  other: ServerAccess = fullAccess,
): boolean {
  if (access.network && !other.network) return false;
  if (access.files === 'own' || other.files === 'everything') return true;
  if (access.files === 'everything' || other.files === 'own') return false;
  const { folders } = other.files;
  return access.files.folders.every(({ path, write }) =>
    folders.some((each) => each.path === path && (each.write === true || write !== true)),
  );
}
