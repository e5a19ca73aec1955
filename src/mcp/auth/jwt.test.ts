import {
  constants,
  createPublicKey,
  generateKeyPairSync,
  verify,
  type webcrypto,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { proveClient } from './client-auth.ts';
import { createDpopKey, createDpopProver } from './dpop.ts';
import { chooseAlgorithm, readPrivateKey } from './jwt.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const ed = generateKeyPairSync('ed25519');

function decode(part = ''): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

describe('a client with a private key', () => {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  it.each([
    ['RS256', rsa, undefined, 'sha256', {}],
    ['PS256', rsa, ['PS256'], 'sha256', pss],
    ['ES384', ec, undefined, 'sha384', { dsaEncoding: 'ieee-p1363' }],
    ['EdDSA', ed, ['RS256', 'EdDSA'], null, {}],
  ] as const)('signs with %s', (algorithm, pair, accepted, hash, form) => {
    const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const { parameters } = proveClient(
      { id: 'me', source: 'configured', privateKey },
      { issuer: 'https://auth.test', authAlgorithms: accepted && [...accepted] },
      1_700_000_000_000,
    );
    const [head = '', body = '', signature = ''] = parameters['client_assertion']?.split('.') ?? [];
    expect(decode(head)).toMatchObject({ alg: algorithm });
    expect(decode(body)).toMatchObject({
      iss: 'me',
      sub: 'me',
      aud: 'https://auth.test',
      iat: 1_700_000_000,
      exp: 1_700_000_300,
    });
    const options = { key: pair.publicKey, ...form } as Parameters<typeof verify>[2];
    expect(
      verify(hash, Buffer.from(`${head}.${body}`), options, Buffer.from(signature, 'base64url')),
    ).toBe(true);
  });

  it('reads a JWK and names the key', () => {
    const jwk = { ...rsa.privateKey.export({ format: 'jwk' }), kid: 'key-1' };
    expect(readPrivateKey(JSON.stringify(jwk)).keyId).toBe('key-1');
  });

  it('never quotes what it cannot read', () => {
    for (const text of ['my-secret-key', '{"kty":"my-secret-key"}']) {
      const failure = (() => {
        try {
          return readPrivateKey(text);
        } catch (error) {
          return error;
        }
      })();
      expect(failure).toMatchObject({ code: 'sign_in_failed' });
      expect(JSON.stringify(failure) + String(failure)).not.toContain('my-secret');
    }
  });

  it('says so if no algorithm suits both', () => {
    expect(() => chooseAlgorithm(rsa.privateKey, ['ES256'])).toThrow("doesn't accept signatures");
  });
});

describe('proveClient', () => {
  const server = { issuer: 'https://auth.test' };
  const client = { id: 'me', source: 'registered', secret: 'hush' } as const;

  it('chooses what both sides know', () => {
    const method = (authMethods?: string[], more = {}): string => {
      const { headers, parameters } = proveClient(
        { ...client, ...more },
        { ...server, authMethods },
        0,
      );
      if (headers['authorization']) return 'basic';
      return parameters['client_secret'] === undefined ? 'none' : 'post';
    };
    expect(method()).toBe('basic');
    expect(method(['client_secret_post'])).toBe('post');
    expect(method(['client_secret_post', 'client_secret_basic'])).toBe('basic');
    expect(method(['none'])).toBe('none');
    expect(method(['client_secret_basic'], { method: 'client_secret_post' })).toBe('post');
    expect(method(['client_secret_basic'], { secret: undefined })).toBe('none');
  });

  it('encodes what would break the header', () => {
    const { headers } = proveClient({ id: 'a:b', source: 'configured', secret: 'ü %' }, server, 0);
    const text = Buffer.from(headers['authorization']?.slice(6) ?? '', 'base64').toString();
    expect(text).toBe('a%3Ab:%C3%BC%20%25');
  });
});

describe('DPoP proofs', () => {
  it('name the request and the token, are signed, and never repeat', () => {
    const prover = createDpopProver(createDpopKey());
    const url = new URL('https://s.test/mcp?secret=1#x');
    const request = { method: 'POST', url, token: 'token', nonce: 'n', now: 5_000 };
    const [one, other] = [prover.prove(request), prover.prove(request)];
    expect(one).not.toBe(other);
    const [head = '', body = '', signature = ''] = one.split('.');
    expect(decode(body)).toMatchObject({
      htm: 'POST',
      htu: 'https://s.test/mcp',
      iat: 5,
      nonce: 'n',
      ath: 'PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A',
    });
    const { jwk, typ } = decode(head) as { jwk: webcrypto.JsonWebKey; typ: string };
    expect(typ).toBe('dpop+jwt');
    expect(jwk).not.toHaveProperty('d');
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const signed = Buffer.from(`${head}.${body}`);
    const form = { key, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', signed, form, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(prover.thumbprint).toHaveLength(43);
  });
});
