import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readInside, writeInside } from './workspace-files.ts';
import { ensureWorkspace } from './workspace.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'cerise-workspace-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe('ensureWorkspace', () => {
  it('makes the folder with sample files, once even when asked at the same time', async () => {
    const folder = join(base, 'deep', 'workspace');
    await Promise.all([ensureWorkspace(folder), ensureWorkspace(folder), ensureWorkspace(folder)]);
    expect(await readdir(join(base, 'deep'))).toEqual(['workspace']);
    expect((await readdir(folder)).sort()).toEqual(['data', 'notes', 'welcome.md', '说明.md']);
    await rm(join(folder, 'welcome.md'));
    await ensureWorkspace(folder);
    expect(await readdir(folder)).not.toContain('welcome.md');
  });

  it('leaves a folder that exists as it is, even an empty one', async () => {
    await mkdir(join(base, 'own'));
    await ensureWorkspace(join(base, 'own'));
    expect(await readdir(join(base, 'own'))).toEqual([]);
  });
});

describe('a folder that is swapped for a link all the time', () => {
  it('never lets a read or a write out', async () => {
    const folder = join(base, 'workspace');
    const outside = join(base, 'outside');
    await mkdir(join(folder, 'a'), { recursive: true });
    await mkdir(outside);
    await writeFile(join(folder, 'a', 'x'), 'inside');
    await writeFile(join(outside, 'x'), 'canary');
    const stop = new AbortController();
    const swapping = swapUntil(stop.signal, join(folder, 'a'), outside);
    let inside = 0;
    for (let round = 0; round < 400; round += 1) {
      const [read] = await Promise.allSettled([
        readInside(folder, 'a/x', 1000),
        writeInside(folder, 'a/x', Buffer.from('inside')),
      ]);
      if (read.status === 'rejected') continue;
      expect(read.value.toString()).toBe('inside');
      inside += 1;
    }
    stop.abort();
    await swapping;
    expect(inside).toBeGreaterThan(0);
    expect(await readFile(join(outside, 'x'), 'utf8')).toBe('canary');
    expect(await readdir(outside)).toEqual(['x']);
  });
});

/** Lets a folder be a link to `target` for a moment, over and over; writers may fill the gaps. */
async function swapUntil(stop: AbortSignal, folder: string, target: string): Promise<void> {
  while (!stop.aborted) {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    await rename(folder, `${folder}-kept`);
    await symlink(target, folder).catch(() => undefined);
    await setImmediate();
    for (let done = false; !done;) {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      done = await rename(`${folder}-kept`, folder).then(
        () => true,
        () => false,
      );
    }
  }
}
