import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../../test/databases.ts';
import { createSecretBox, loadSecretKey, verifySecretKey } from './secrets.ts';

describe('a secret box', () => {
  const box = createSecretBox(randomBytes(32));

  it('opens what it sealed, and seals the same text differently each time', () => {
    const sealed = box.seal('sk-秘密', 'place');
    expect(box.open(sealed, 'place')).toBe('sk-秘密');
    expect(sealed).not.toBe(box.seal('sk-秘密', 'place'));
    expect(box.open(box.seal('', 'place'), 'place')).toBe('');
  });

  it('refuses another key, another place, and anything that was touched', () => {
    const sealed = box.seal('secret', 'place');
    const last = sealed.endsWith('A') ? 'B' : 'A';
    const attempts: [string, string, typeof box][] = [
      [sealed, 'place', createSecretBox(randomBytes(32))],
      [sealed, 'elsewhere', box],
      [sealed.slice(0, -4), 'place', box],
      [`${sealed.slice(0, 20)}${last}${sealed.slice(21)}x`, 'place', box],
      ['', 'place', box],
      ['v1.', 'place', box],
      ['v2.' + sealed.slice(3), 'place', box],
      ['secret', 'place', box],
    ];
    for (const [text, context, opener] of attempts) {
      expect(() => opener.open(text, context)).toThrow(
        expect.objectContaining({ code: 'wrong_key' }),
      );
    }
  });
});

describe('the secret key', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'cerise-test-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('is made once, for its owner only, and read again', async () => {
    const keys = await Promise.all([loadSecretKey(home, {}), loadSecretKey(home, {})]);
    expect(keys[0]).toHaveLength(32);
    expect(keys[1]).toEqual(keys[0]);
    expect(await loadSecretKey(home, {})).toEqual(keys[0]);
    expect(statSync(join(home, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(['secret.key']);
  });

  it('makes the data folder if need be', async () => {
    const deep = join(home, 'deep', 'home');
    await loadSecretKey(deep, {});
    expect(statSync(deep).mode & 0o777).toBe(0o700);
  });

  it('comes from the environment as hex, base64 or a passphrase', async () => {
    const bytes = randomBytes(32);
    const load = (text: string) => loadSecretKey(home, { CERISE_SECRET_KEY: text });
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(await load(bytes.toString(form))).toEqual(bytes);
    }
    const derived = await load('correct horse battery staple');
    expect(derived).toHaveLength(32);
    expect(await load('correct horse battery staple')).toEqual(derived);
    expect(await load('correct horse battery stable')).not.toEqual(derived);
    expect(readdirSync(home)).toEqual([]);
  });

  it('refuses a short passphrase without repeating it', async () => {
    const refused = loadSecretKey(home, { CERISE_SECRET_KEY: 'hunter2' });
    await expect(refused).rejects.toMatchObject({
      code: 'bad_setting',
      message: expect.not.stringContaining('hunter2'),
    });
  });

  it('never replaces a key file that it cannot read', async () => {
    const file = join(home, 'secret.key');
    writeFileSync(file, 'half a k');
    await expect(loadSecretKey(home, {})).rejects.toMatchObject({ code: 'data_unreadable' });
    expect(readFileSync(file, 'utf8')).toBe('half a k');
    writeFileSync(join(home, 'file'), '');
    const below = loadSecretKey(join(home, 'file'), {});
    await expect(below).rejects.toMatchObject({ code: 'data_unreadable' });
  });
});

describe('the check of the key', () => {
  describeEachDatabase((open) => {
    it('accepts the key of the first start and refuses any other', async () => {
      const { db } = await open();
      const key = randomBytes(32);
      await verifySecretKey(db, createSecretBox(key));
      await verifySecretKey(db, createSecretBox(key));
      const other = verifySecretKey(db, createSecretBox(randomBytes(32)));
      await expect(other).rejects.toMatchObject({ code: 'wrong_key' });
      await verifySecretKey(db, createSecretBox(key));
    });
  });
});
