import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ProcessLedger, reapOrphans } from './ledger.ts';

const marker = '3f0d7a52-5f0e-4c58-9f0a-1d2b3c4d5e6f';
const newFolder = (): string => join(mkdtempSync(join(tmpdir(), 'cerise-ledger-')), 'processes');

describe('ProcessLedger', () => {
  it('keeps a note that only its owner can read, until it is removed', () => {
    const folder = newFolder();
    const ledger = new ProcessLedger(folder);
    ledger.write({ marker, command: 'npx', leader: undefined });
    ledger.write({ marker, command: 'npx', leader: { pid: 7, startTime: 8 } });
    const file = join(folder, `${marker}.json`);
    expect(readdirSync(folder)).toEqual([`${marker}.json`]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      marker,
      command: 'npx',
      host: { pid: process.pid },
      leader: { pid: 7, startTime: 8 },
    });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    ledger.remove(marker);
    ledger.remove(marker);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('reapOrphans', () => {
  it('finds nothing where no host has run', async () => {
    expect(await reapOrphans('/no/such/folder')).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('keeps the notes of hosts that live', async () => {
    const folder = newFolder();
    new ProcessLedger(folder).write({ marker, command: 'npx', leader: undefined });
    expect(await reapOrphans(folder)).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('forgets what another machine noted only after a week', async () => {
    const folder = newFolder();
    new ProcessLedger(folder).write({ marker, command: 'npx', leader: undefined });
    const file = join(folder, `${marker}.json`);
    const note = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...note, scope: 'elsewhere' }));
    await reapOrphans(folder);
    expect(readdirSync(folder)).toHaveLength(1);
    const old = Date.now() / 1000 - 8 * 24 * 60 * 60;
    utimesSync(file, old, old);
    await reapOrphans(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes what nobody can read, and leaves other files alone', async () => {
    const folder = newFolder();
    void new ProcessLedger(folder);
    for (const [name, text] of [
      ['a.json', '{'],
      ['b.json', '{"marker":"../../x"}'],
      ['c.json', '[]'],
      ['note.txt', 'mine'],
    ] as const) {
      writeFileSync(join(folder, name), text);
    }
    expect(await reapOrphans(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual(['note.txt']);
  });
});
