import {
  constants,
  createPrivateKey,
  type KeyObject,
  sign,
  type SignKeyObjectInput,
} from 'node:crypto';
import { say } from '#shared/errors/sentence.ts';
import { parseObject, signInFailed } from './ask.ts';

const curves: Record<string, string> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};
const rsa = ['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512'];

/** A signing key with its name at the authorization server, where it has one. */
export interface SigningKey {
  key: KeyObject;
  keyId?: string | undefined;
}

/** Reads a private key: PEM, or a JWK as JSON. The refusal never quotes it. */
export function readPrivateKey(text: string): SigningKey {
  try {
    const jwk = parseObject(text);
    if (!jwk) return { key: createPrivateKey(text) };
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    return { key, keyId: typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined };
  } catch {
    throw signInFailed(say('private-key-unreadable')`This server's private key can't be read.`, {
      hint: say('private-key-hint')`Use PKCS#8 PEM (-----BEGIN PRIVATE KEY-----) or a JWK.`,
    });
  }
}

/** The first algorithm that suits both the key and the other side. */
export function chooseAlgorithm(key: KeyObject, accepted?: readonly string[]): string {
  const possible = algorithmsOf(key);
  const chosen = possible.find((name) => accepted === undefined || accepted.includes(name));
  if (chosen !== undefined) return chosen;
  throw signInFailed(
    say(
      'signature-kind',
    )`The authorization server doesn't accept signatures made with this type of key.`,
    {
      hint: accepted && say('signature-accepts')`It accepts ${accepted.slice(0, 10).join(', ')}.`,
    },
  );
}

/** A signed JWT. */
export function signJwt(header: { alg: string }, claims: object, key: KeyObject): string {
  const text = `${encode({ typ: 'JWT', ...header })}.${encode(claims)}`;
  const hash = header.alg === 'EdDSA' ? null : `sha${header.alg.slice(2)}`;
  const signature = sign(hash, Buffer.from(text), { key, ...signatureForm(header.alg) });
  return `${text}.${signature.toString('base64url')}`;
}

function algorithmsOf(key: KeyObject): string[] {
  switch (key.asymmetricKeyType) {
    case 'ec': {
      const algorithm = curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
      return algorithm === undefined ? [] : [algorithm];
    }
    case 'rsa':
      return rsa;
    case 'ed25519':
      return ['EdDSA'];
    default:
      return [];
  }
}

function signatureForm(algorithm: string): Omit<SignKeyObjectInput, 'key'> {
  if (algorithm.startsWith('ES')) return { dsaEncoding: 'ieee-p1363' };
  if (!algorithm.startsWith('PS')) return {};
  return {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
