import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';

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
      expect(readSettings({ ...env, CERISE_TOKEN: 'secret' }).hostname).toBe(hostname);
    },
  );
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
