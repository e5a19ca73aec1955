import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ProcessLedger } from '../process/ledger.ts';
import { readProcess } from '../process/process-table.ts';
import { withInstallLock } from './install-lock.ts';
import { folderName, tagFileName } from './package-names.ts';
import { prunePackages } from './prune-packages.ts';

const dayMs = 24 * 60 * 60 * 1000;

function place() {
  const root = mkdtempSync(join(tmpdir(), 'cerise-'));
  const [packagesFolder, ledgerFolder] = [join(root, 'packages'), join(root, 'processes')];
  mkdirSync(packagesFolder);
  /** A folder or a file that was used so many days ago. */
  const put = (name: string, days: number, text?: string): string => {
    const path = join(packagesFolder, name);
    if (text === undefined) {
      mkdirSync(join(path, 'node_modules/.bin'), { recursive: true });
      writeFileSync(join(path, 'node_modules/.bin/run'), '');
    } else writeFileSync(path, text);
    const at = new Date(Date.now() - days * dayMs);
    utimesSync(path, at, at);
    return path;
  };
  const prune = (...lines: string[]) =>
    prunePackages({
      packagesFolder,
      ledgerFolder,
      configs: async () =>
        lines.map((line) => {
          const [command = '', ...args] = line.split(' ');
          return { command, args };
        }),
      signal: AbortSignal.any([]),
    });
  return { packagesFolder, ledgerFolder, put, prune };
}

const folderOf = (...packages: string[]) => folderName(packages, undefined);

describe('prunePackages', () => {
  it('removes what no command names any more, and keeps what one does', async () => {
    const { packagesFolder, put, prune } = place();
    put(folderOf('gone'), 2);
    put(folderOf('kept'), 400);
    put(folderOf('kept@1.0.0'), 2);
    put(folderOf('tagged@1.0.0'), 2);
    put(folderOf('tagged@2.0.0'), 2);
    put(tagFileName('tagged@latest'), 2, '2.0.0');
    put(tagFileName('gone@next'), 2, '3.0.0');
    put(folderOf('open@1.2.3'), 2);
    put(`${folderOf('half')}.new`, 2);
    const removed = await prune(
      'npx -y kept --key=${secret:KEY}',
      'npx tagged@latest',
      'npx -y open@${VERSION}',
      'node server.js',
    );
    expect(removed.toSorted()).toEqual(
      [
        folderOf('gone'),
        folderOf('kept@1.0.0'),
        folderOf('tagged@1.0.0'),
        tagFileName('gone@next'),
        `${folderOf('half')}.new`,
      ].toSorted(),
    );
    expect(readdirSync(packagesFolder)).toHaveLength(4);
  });

  it('keeps what was used a moment ago: another host may be about to start it', async () => {
    const { put, prune } = place();
    const path = put(folderOf('new'), 0.5);
    expect(await prune()).toEqual([]);
    expect(existsSync(path)).toBe(true);
  });

  it('keeps what any host still runs, however long ago it was started', async () => {
    const { put, prune, ledgerFolder } = place();
    const path = put(folderOf('running'), 90);
    const ledger = new ProcessLedger(ledgerFolder);
    const marker = randomUUID();
    const leader = readProcess(process.pid);
    ledger.write({ marker, command: join(path, 'node_modules/.bin/run'), leader });
    expect(await prune()).toEqual([]);
    ledger.remove(marker);
    expect(await prune()).toEqual([folderOf('running')]);
  });

  it('waits for nobody who installs it, and leaves it to them', async () => {
    const { put, prune, packagesFolder } = place();
    const path = put(folderOf('locked'), 2);
    const other = put(folderOf('other'), 2);
    const { signal } = new AbortController();
    const lock = join(packagesFolder, `${folderOf('locked')}.lock`);
    const removed = await withInstallLock(lock, () => prune(), { signal, onWait: () => undefined });
    expect(removed).toEqual([folderOf('other')]);
    expect([existsSync(path), existsSync(other)]).toEqual([true, false]);
  });
});
