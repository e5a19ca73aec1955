import { join } from 'node:path';
import { BundleFolders } from '#mcp/bundles/bundle-folders.ts';
import { prunePackages } from '#mcp/install/prune-packages.ts';
import { Background } from '#shared/async/background.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import { isClaimed } from '#store/blobs/blob-references.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { listCommands } from '#store/configuration/servers.ts';
import type { Signals } from '../topic/signals.ts';
import type { Base } from './base.ts';
import { ledgerIn, packagesIn } from './create-mcp.ts';

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

/** Removes bundles and packages that no server runs from: at the start, when servers change, and once an hour. */
export function tidyFolders(
  { store, logger }: Base,
  home: string,
  { folders, signals }: { folders: Pick<BundleFolders, 'tidy'>; signals: Signals },
): { close(): Promise<void> } {
  const tidying = new Background(async (signal) => {
    try {
      await folders.tidy();
      const removed = await prunePackages({
        packagesFolder: packagesIn(home),
        ledgerFolder: ledgerIn(home),
        configs: () => listCommands(store.db),
        signal,
      });
      if (removed.length > 0) logger.info({ removed }, 'Removed packages that no server uses');
    } catch (error) {
      if (!signal.aborted)
        logger.warn(toErrorInfo(error), 'Could not remove unused bundles and packages');
    }
  });
  signals.on('tell-changed', () => tidying.run());
  signals.on('heard-changed', () => tidying.run());
  tidying.start(hourMs);
  return tidying;
}
