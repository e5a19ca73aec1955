// Starts processes.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { helloBundle, helloFiles } from '../../../test/fixtures/bundles.ts';
import { zipOf } from '../../../test/fixtures/zip.ts';
import { BundleFolders } from './bundle-folders.ts';

async function start(bytes: Buffer, { isAlone = true } = {}) {
  const base = await mkdtemp(join(tmpdir(), 'cerise-bundles-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = join(base, 'bundles');
  const hash = createHash('sha256').update(bytes).digest('hex');
  const used = new Set([hash]);
  let reads = 0;
  const open = () =>
    new BundleFolders({
      root,
      read: async () => {
        reads += 1;
        return bytes;
      },
      isUsed: async (each) => used.has(each),
      limits: usualLimits,
      isAlone,
    });
  return { base, root, hash, used, open, reads: () => reads };
}

describe('the folder of a bundle', () => {
  it('is unpacked once for all who ask, for this user alone', async () => {
    const { root, hash, open, reads } = await start(helloBundle('binary'));
    const folders = open();
    const [one, two] = await Promise.all([folders.ensure(hash), folders.ensure(hash)]);
    expect([one, two]).toEqual([join(root, hash, 'files'), one]);
    expect(reads()).toBe(1);
    expect(await readdir(root)).toEqual([hash]);
    const modes = ['manifest.json', 'bin/hello', '.'].map(
      async (name) => (await stat(join(one, name))).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o600, 0o700, 0o700]);
    await open().ensure(hash);
    expect(reads()).toBe(1);
  });

  it('is unpacked again where a file was changed, cut or removed', async () => {
    const { hash, open, reads } = await start(helloBundle());
    const file = join(await open().ensure(hash), 'server/index.js');
    const whole = await readFile(file, 'utf8');
    const changes = [() => writeFile(file, ''), () => writeFile(file, `${whole} `), () => rm(file)];
    for (const [place, change] of changes.entries()) {
      await change();
      await open().ensure(hash);
      expect(await readFile(file, 'utf8')).toBe(whole);
      expect(reads()).toBe(place + 2);
    }
  });

  it('is not made of other bytes than those that were approved', async () => {
    const { root, open } = await start(helloBundle());
    await expect(open().ensure('a'.repeat(64))).rejects.toMatchObject({ code: 'data_unreadable' });
    expect(await readdir(root).catch(() => [])).toEqual([]);
  });

  it('T12: is not made where an entry would leave it, and nothing is left', async () => {
    const outside = zipOf([...helloFiles(), { name: '../../escaped', data: 'x' }]);
    const lying = zipOf([...helloFiles(), { name: 'a', data: Buffer.alloc(9_000_000), size: 10 }]);
    for (const bytes of [outside, lying]) {
      const { base, root, hash, open } = await start(bytes);
      await expect(open().ensure(hash)).rejects.toMatchObject({ code: 'invalid_bundle' });
      expect(await readdir(root).catch(() => [])).toEqual([]);
      expect(existsSync(join(base, 'escaped'))).toBe(false);
    }
  });

  it('goes when no server uses it, and what is not ours stays', async () => {
    const { root, hash, used, open } = await start(helloBundle());
    const folders = open();
    await folders.ensure(hash);
    await writeFile(join(root, 'README'), 'of a person');
    await folders.tidy();
    expect(await readdir(root)).toEqual(['README', hash].toSorted());
    used.clear();
    await folders.tidy();
    expect(await readdir(root)).toEqual(['README']);
    used.add(hash);
    expect(existsSync(await folders.ensure(hash))).toBe(true);
  });

  it('that is being unpacked by another host in the same place is left to it', async () => {
    const { root, open } = await start(helloBundle(), { isAlone: false });
    for (const name of ['staging-fresh', 'staging-old'])
      await mkdir(join(root, name), { recursive: true });
    await utimes(join(root, 'staging-old'), 0, 0);
    await open().tidy();
    expect(await readdir(root)).toEqual(['staging-fresh']);
  });

  it('whose host was killed in the middle is swept at the next start, and unpacked whole', async () => {
    const files = Array.from({ length: 3000 }, (_, n) => ({
      name: `data/${n}`,
      data: randomBytes(500),
      stored: true,
    }));
    const bytes = zipOf([...helloFiles(), ...files]);
    const { base, root, hash, open } = await start(bytes);
    const file = join(base, 'x.mcpb');
    await writeFile(file, bytes);
    const script = join(import.meta.dirname, '../../../test/fixtures/unpacking-host.ts');
    const child = spawn(process.execPath, [script, root, file], { stdio: 'inherit' });
    const unpacked = async () => {
      const [staging = ''] = await readdir(root).catch(() => []);
      return (await readdir(join(root, staging, 'files/data')).catch(() => [])).length;
    };
    await expect.poll(unpacked, { interval: 1, timeout: 20_000 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await readdir(root)).toEqual([expect.stringMatching(/^staging-/)]);
    const next = open();
    await next.tidy();
    expect(await readdir(root)).toEqual([]);
    expect(await readdir(join(await next.ensure(hash), 'data'))).toHaveLength(3000);
  });
});
