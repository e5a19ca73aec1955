import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const randomToken = () => randomBytes(24).toString('base64url');
const publicUrl = (text: string) => readSettings({ CERISE_PUBLIC_URL: text }).publicUrl;

describe('CERISE_DISCOVER', () => {
  it('switches the search for local model servers off', () => {
    const discover = (text?: string) => readSettings({ CERISE_DISCOVER: text }).discover;
    expect([discover(), discover(''), discover('1'), discover('0')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('CERISE_PUBLIC_URL', () => {
  it('is an https address without a path, or absent', () => {
    expect(publicUrl('https://Cerise.example.com/')).toBe('https://cerise.example.com');
    expect(publicUrl('https://cerise.example.com:8443')).toBe('https://cerise.example.com:8443');
    expect(publicUrl('')).toBeUndefined();
  });

  it.each([
    'http://cerise.example.com',
    'https://cerise.example.com/path',
    'https://cerise.example.com/?a',
    'https://user@cerise.example.com',
    'cerise.example.com',
    'javascript:alert(1)',
  ])('is not %s', (text) => {
    expect(() => publicUrl(text)).toThrow(expect.objectContaining({ code: 'bad_setting' }));
  });
});

describe('CERISE_HOST', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com'])(
    'opens nothing on %s without a secret (T02)',
    (hostname) => {
      const env = { CERISE_HOST: hostname };
      expect(() => readSettings(env)).toThrow(expect.objectContaining({ code: 'bad_setting' }));
      expect(readSettings({ ...env, CERISE_TOKEN: randomToken() }).hostname).toBe(hostname);
    },
  );
});

describe('T89: CERISE_TOKEN', () => {
  const guessed = [
    'x',
    'secret',
    'a'.repeat(64),
    'abababababababababababab',
    'password123456789012345',
    'changeme-changeme-changeme',
    'cerise-token-cerise-token',
    'my-super-secret-admin-token',
    'P4ssw0rd-P4ssw0rd-P4ssw0rd',
    'abcdefghijklmnopqrstuvwxyz',
    '0123456789012345678901234567890',
    'qwertyuiop1234567890',
    '1111-2222-3333-4444-5555',
    'CHANGE (openssl rand -hex 32)',
  ];
  const reached: Record<string, string>[] = [
    { CERISE_HOST: '0.0.0.0' },
    { CERISE_HOST: '::' },
    { CERISE_PUBLIC_URL: 'https://cerise.example.com' },
    { CERISE_ALLOWED_HOSTS: 'cerise.example.com' },
    { CERISE_TRUSTED_PROXIES: '10.0.0.1' },
  ];

  it.each(guessed)('is not %s where others reach this host', (token) => {
    for (const env of reached)
      expect(() => readSettings({ ...env, CERISE_TOKEN: token }), JSON.stringify(env)).toThrow(
        expect.objectContaining({ code: 'bad_setting' }),
      );
    expect(readSettings({ CERISE_TOKEN: token }).token).toBe(token);
    const here = { CERISE_ALLOWED_HOSTS: 'localhost:8080,127.0.0.1:1,[::1]:2' };
    expect(readSettings({ ...here, CERISE_TOKEN: token }).token).toBe(token);
  });

  it('may be whatever a machine chose', () => {
    for (let n = 0; n < 1000; n += 1)
      for (const token of [
        randomToken(),
        randomBytes(16).toString('hex'),
        randomBytes(32).toString('hex'),
        randomBytes(15).toString('base64'),
        randomUUID(),
      ])
        expect(readSettings({ CERISE_HOST: '0.0.0.0', CERISE_TOKEN: token }).token).toBe(token);
  });
});

describe('CERISE_SIGN_IN_LINK', () => {
  it('switches sign-in links off', () => {
    const on = (text?: string) => readSettings({ CERISE_SIGN_IN_LINK: text }).signInLink;
    expect([on(), on(''), on('1'), on('0')]).toEqual([true, true, true, false]);
  });
});

describe('CERISE_TRUSTED_PROXIES', () => {
  const proxies = (text: string) => readSettings({ CERISE_TRUSTED_PROXIES: text }).trustedProxies;

  it('is a list of addresses and networks', () => {
    expect(proxies('')).toEqual([]);
    expect(proxies('127.0.0.1, 10.0.0.0/8,fd00::/8')).toEqual([
      '127.0.0.1',
      '10.0.0.0/8',
      'fd00::/8',
    ]);
  });

  it.each(['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x', '*', 'fd00::/129'])(
    'is not %s',
    (text) => {
      expect(() => proxies(text)).toThrow(expect.objectContaining({ code: 'bad_setting' }));
    },
  );
});

describe('CERISE_OIDC_ISSUER', () => {
  const client = { CERISE_OIDC_CLIENT_ID: 'cerise' };

  it('names the provider, with a name for people', () => {
    expect(readSettings({}).oidc).toBeUndefined();
    const env = { ...client, CERISE_OIDC_ISSUER: 'https://id.example.com/realm' };
    expect(readSettings(env).oidc).toMatchObject({
      issuer: 'https://id.example.com/realm',
      clientId: 'cerise',
      name: 'id.example.com',
      groupsClaim: 'groups',
    });
  });

  it.each([
    { ...client },
    { CERISE_OIDC_ISSUER: 'https://id.example.com' },
    { ...client, CERISE_OIDC_ISSUER: 'http://id.example.com' },
    { ...client, CERISE_OIDC_ISSUER: 'id.example.com' },
  ])('is refused half or over plain http: %j', (env) => {
    expect(() => readSettings(env)).toThrow(expect.objectContaining({ code: 'bad_setting' }));
  });
});

describe('a fault on purpose', () => {
  it('needs a second variable that allows it', () => {
    const env = { CERISE_FAULT: 'answer-ended:1:kill' };
    expect(() => readSettings(env)).toThrow(expect.objectContaining({ code: 'bad_setting' }));
    expect(() => readSettings({ ...env, CERISE_ALLOW_FAULTS: '0' })).toThrow('fail on purpose');
    expect(readSettings({ ...env, CERISE_ALLOW_FAULTS: '1' }).fault).toBe('answer-ended:1:kill');
    expect(readSettings({ CERISE_ALLOW_FAULTS: '1' }).fault).toBeUndefined();
  });
});
