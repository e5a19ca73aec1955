import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

describe('a password', () => {
  it('is right only as it was set, however its letters were typed', async () => {
    const hash = await hashPassword('Grüße, 世界 1');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    const decomposed = 'Grüße, 世界 1'.normalize('NFD');
    expect(await verifyPassword(decomposed, hash)).toEqual({ isRight: true, isOld: false });
    for (const wrong of ['', 'grüße, 世界 1', 'Grüße, 世界 1 '])
      expect((await verifyPassword(wrong, hash)).isRight, wrong).toBe(false);
  });

  it('is hashed with a salt of its own each time', async () => {
    expect(await hashPassword('the same')).not.toBe(await hashPassword('the same'));
  });

  it('of an older cost is right, and told to be old', async () => {
    const hash = await hashPassword('the same', { memory: 8192, passes: 1, parallelism: 1 });
    expect(await verifyPassword('the same', hash)).toEqual({ isRight: true, isOld: true });
  });

  it('of nobody is never right', async () => {
    expect((await verifyPassword('anything', undefined)).isRight).toBe(false);
  });

  it('that was stored in another form is not taken', async () => {
    await expect(verifyPassword('x', 'x')).rejects.toMatchObject({ code: 'data_unreadable' });
  });

  it('waits for its turn, and is refused when too many wait', async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 60 }, () => verifyPassword('x', undefined)),
    );
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10);
    expect((await verifyPassword('x', undefined)).isRight).toBe(false);
  });
});
