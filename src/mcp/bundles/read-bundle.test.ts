import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toErrorInfo } from '#shared/errors/errors.ts';
import { limitsWith, usualLimits } from '#shared/vocabulary/limits.ts';
import { helloBundle, helloFiles } from '../../../test/fixtures/bundles.ts';
import { zipOf, type ZipEntry } from '../../../test/fixtures/zip.ts';
import { readBundle } from './read-bundle.ts';

const read = (bytes: Buffer, limits = usualLimits) => readBundle(bytes, limits);
const withFile = (...files: ZipEntry[]) => zipOf([...helloFiles(), ...files]);
const refused = { code: 'invalid_bundle' };
/** The id of the sentence that a refusal says. */
async function refusal(bytes: Buffer): Promise<string | undefined> {
  const error: unknown = await read(bytes).catch((failure: unknown) => failure);
  expect(error).toMatchObject(refused);
  return toErrorInfo(error).messageSaid?.id;
}

describe('a bundle', () => {
  it('of every type and version is read', async () => {
    for (const type of ['node', 'python', 'uv', 'binary'] as const) {
      const { manifest, files } = await read(helloBundle(type, { manifest_version: '0.4' }));
      expect(manifest.server.type).toBe(type);
      expect(files.map(({ path }) => path)).toContain(manifest.server.entry_point);
    }
    for (const version of ['0.1', '0.2', '0.3', '0.4'])
      await read(helloBundle('node', { manifest_version: undefined, dxt_version: version }));
  });

  it('of another version, without a manifest or without its entry point is refused', async () => {
    const [manifest, program] = helloFiles();
    if (!manifest || !program) throw new Error('a bundle has files');
    await expect(read(helloBundle('node', { manifest_version: '9.0' }))).rejects.toMatchObject(
      refused,
    );
    for (const files of [
      [program],
      [manifest],
      [{ ...manifest, data: 'no json' }, program],
      [{ ...manifest, data: '[]' }, program],
      [{ ...manifest, data: '{"manifest_version":"0.3","name":5}' }, program],
      [{ ...manifest, name: 'MANIFEST.json' }, program],
      [{ ...manifest, mode: 0o120777, data: 'other.json' }, program],
    ])
      await expect(read(zipOf(files))).rejects.toMatchObject(refused);
  });

  it('says that a folder was zipped instead of what is in it', async () => {
    const files = helloFiles().map((file) => ({ ...file, name: `hello/${String(file.name)}` }));
    const error = await read(zipOf(files)).catch((failure: unknown) => failure);
    expect(toErrorInfo(error).hint).toContain('hello/manifest.json');
  });

  it('that is signed is read without its signature, in either form', async () => {
    for (const name of ['MCPB', 'DXT']) {
      const bytes = helloBundle();
      const signature = Buffer.from('signature');
      const length = Buffer.alloc(4);
      length.writeUInt32LE(signature.length);
      const trailer = [
        Buffer.from(`${name}_SIG_V1`),
        length,
        signature,
        Buffer.from(`${name}_SIG_END`),
      ];
      const signed = Buffer.concat([bytes, ...trailer]);
      expect((await read(signed)).manifest.name).toBe('hello-node');
      signed.writeUInt16LE(signed.length - bytes.length, bytes.length - 2);
      expect((await read(signed)).manifest.name).toBe('hello-node');
    }
  });

  it('keeps nothing of its manifest that would give it rights', async () => {
    const rights = {
      autoApprove: ['*'],
      alwaysAllow: ['*'],
      trust: true,
      approvedHash: 'x',
      Rules: [1],
    };
    const { manifest } = await read(helloBundle('node', { ...rights, server: rights }));
    expect(JSON.stringify(manifest)).not.toMatch(/approve|always|trust|rules/i);
  });
});

describe('T12: an entry of an archive', () => {
  const link = 0o120777;
  it.each<[string, string, ZipEntry[]]>([
    ['outside', 'bundle-path', [{ name: '../x', data: 'x' }]],
    ['deep outside', 'bundle-path', [{ name: 'a/../../x', data: 'x' }]],
    ['absolute', 'bundle-path', [{ name: '/x', data: 'x' }]],
    ['of a drive', 'bundle-path', [{ name: 'C:\\x', data: 'x' }]],
    ['of a drive with a slash', 'bundle-path', [{ name: 'C:/x', data: 'x' }]],
    ['with a backslash', 'bundle-path', [{ name: 'a\\..\\..\\x', data: 'x' }]],
    ['with NUL', 'bundle-path', [{ name: 'a\0b', data: 'x' }]],
    ['with a control', 'bundle-path', [{ name: 'a\u001bb', data: 'x' }]],
    ['empty', 'bundle-path', [{ name: '', data: 'x' }]],
    ['dot', 'bundle-path', [{ name: './x', data: 'x' }]],
    ['of Windows', 'bundle-path', [{ name: 'nul.txt', data: 'x' }]],
    ['a stream', 'bundle-path', [{ name: 'a:b', data: 'x' }]],
    ['300 characters', 'bundle-path', [{ name: 'x'.repeat(300), data: 'x' }]],
    ['very deep', 'bundle-path', [{ name: `${'a/'.repeat(60)}x`, data: 'x' }]],
    ['a link', 'bundle-link', [{ name: 'link', data: '/etc/passwd', mode: link }]],
    [
      'a link to a folder, and a file in it',
      'bundle-link',
      [
        { name: 'f', data: '/tmp', mode: link },
        { name: 'f/x', data: 'x' },
      ],
    ],
    ['a device', 'bundle-link', [{ name: 'device', mode: 0o020666 }]],
    ['a pipe', 'bundle-link', [{ name: 'pipe', mode: 0o010666 }]],
    ['a socket', 'bundle-link', [{ name: 'socket', mode: 0o140666 }]],
    [
      'twice',
      'bundle-twice',
      [
        { name: 'a', data: '1' },
        { name: 'a', data: '2' },
      ],
    ],
    [
      'twice in another case',
      'bundle-twice',
      [
        { name: 'Straße', data: '1' },
        { name: 'STRASSE', data: '2' },
      ],
    ],
    [
      'twice in another form',
      'bundle-twice',
      [
        { name: 'caf\u00e9', data: '1' },
        { name: 'cafe\u0301', data: '2' },
      ],
    ],
    [
      'a file and a folder',
      'bundle-twice',
      [
        { name: 'A', data: '1' },
        { name: 'a/b', data: '2' },
      ],
    ],
    ['a second manifest', 'bundle-twice', [{ name: 'Manifest.json', data: '{}' }]],
    ['encrypted', 'bundle-encrypted', [{ name: 'a', data: 'x', flags: 0x801 }]],
    ['packed in another way', 'bundle-compression', [{ name: 'a', data: 'x', method: 14 }]],
  ])('%s is refused', async (_name, id, files) => {
    expect(await refusal(withFile(...files))).toBe(id);
  });
});

describe('T14: an archive that is a bomb', () => {
  const MiB = 1024 ** 2;
  it.each<[string, string, () => Buffer]>([
    [
      'by its ratio',
      'bundle-bomb',
      () => withFile({ name: 'zeros', data: Buffer.alloc(64 * MiB) }),
    ],
    [
      'by its total',
      'bundle-unpacks-large',
      () => {
        const facts = { data: randomBytes(210_000), size: 40 * MiB };
        const files = Array.from({ length: 20 }, (_, n) => ({ name: `f${n}`, ...facts }));
        return withFile(...files);
      },
    ],
    [
      'that lies: larger than it says',
      'bundle-damaged',
      () => withFile({ name: 'a', data: Buffer.alloc(8 * MiB), size: 10 }),
    ],
    [
      'that lies: smaller than it says',
      'bundle-damaged',
      () => withFile({ name: 'a', data: 'x', size: 1000 }),
    ],
    ['of a million entries', 'bundle-many-files', () => manyEntries(1_000_000)],
    [
      'whose entries overlap',
      'bundle-overlap',
      () => {
        const files = Array.from({ length: 100 }, (_, n) => ({
          name: `o${n}`,
          data: Buffer.alloc(MiB),
          sharesWith: 2,
        }));
        return withFile({ name: 'first', data: Buffer.alloc(MiB) }, ...files);
      },
    ],
    ['that is no archive', 'bundle-damaged', () => Buffer.from('PK no')],
    ['that is empty', 'bundle-damaged', () => Buffer.alloc(0)],
    ['that ends too early', 'bundle-damaged', () => helloBundle().subarray(0, -30)],
  ])('%s is refused within 5 s and 200 MB', async (_name, id, make) => {
    const bytes = make();
    const before = process.memoryUsage.rss();
    const start = performance.now();
    expect(await refusal(bytes)).toBe(id);
    expect(performance.now() - start).toBeLessThan(5000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
  });

  it('holds another archive as a file like any other, which nobody unpacks', async () => {
    const inner = zipOf([{ name: 'zeros', data: Buffer.alloc(MiB) }]);
    const { files } = await read(withFile({ name: 'inner.zip', data: inner, stored: true }));
    expect(files.map(({ path }) => path)).toContain('inner.zip');
  });

  it('is refused at the limits of the host', async () => {
    const bytes = helloBundle();
    const limits = [
      { bundleSize: 100 },
      { bundleUnpacked: 100 },
      { bundleEntries: 1 },
      { bundleName: 4 },
    ];
    for (const each of limits)
      await expect(read(bytes, limitsWith(each))).rejects.toMatchObject(refused);
  });

  it('whose bytes were changed is refused', async () => {
    const bytes = withFile({ name: 'text', data: 'some plain text', stored: true });
    bytes.write('S', bytes.indexOf('some plain text'));
    await expect(read(bytes)).rejects.toMatchObject(refused);
  });
});

/** As small as each can be; the record at the end names them in the form for large archives. */
function manyEntries(count: number): Buffer {
  const one = zipOf([{ name: 'x' }]);
  const entry = one.subarray(one.indexOf('PK\u0001\u0002'), one.indexOf('PK\u0005\u0006'));
  const list = Buffer.alloc(entry.length * count);
  for (let n = 0; n < count; n += 1) entry.copy(list, n * entry.length);
  const large = Buffer.alloc(56);
  large.write('PK\u0006\u0006');
  large.writeBigUInt64LE(44n, 4);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(list.length), 40);
  const place = Buffer.alloc(20);
  place.write('PK\u0006\u0007');
  place.writeBigUInt64LE(BigInt(list.length), 8);
  place.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22, 0xff);
  end.write('PK\u0005\u0006');
  end.writeUInt32LE(0, 4);
  end.writeUInt16LE(0, 20);
  return Buffer.concat([list, large, place, end]);
}
