import { join } from 'node:path';
import { BundleFolders } from '#mcp/bundles/bundle-folders.ts';
import { Background } from '#shared/async/background.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { isClaimed } from '#store/blobs/blob-references.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import type { Signals } from '../topic/signals.ts';
import type { Base } from './base.ts';

const hourMs = 3_600_000;

/** The bundles that are unpacked in the data folder. */
export function openFolders(
  { store, limits }: Base,
  home: string,
  blobs: Pick<Blobs, 'read'>,
): BundleFolders {
  return new BundleFolders({
    root: join(home, 'bundles'),
    read: (hash) => blobs.read({ hash }),
    isUsed: (hash) => isClaimed(store.db, hash),
    limits,
    isAlone: store.dialect === 'sqlite',
  });
}

/** Removes unpacked bundles that no server runs from: at the start, when servers change, and once an hour. */
export function tidyBundles(
  folders: Pick<BundleFolders, 'tidy'>,
  signals: Signals,
  logger: Logger,
): { close(): Promise<void> } {
  const tidying = new Background(async () => {
    try {
      await folders.tidy();
    } catch (error) {
      logger.warn(toErrorInfo(error), 'Could not remove unused bundles');
    }
  });
  signals.on('tell-changed', () => tidying.run());
  signals.on('heard-changed', () => tidying.run());
  tidying.start(hourMs);
  return tidying;
}
