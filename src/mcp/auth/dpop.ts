import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  type webcrypto,
} from 'node:crypto';
import { signJwt } from './jwt.ts';

/** The only algorithm we sign proofs with. */
export const dpopAlgorithm = 'ES256';

/** Proves that a token is used by the client it was issued to (RFC 9449). */
export interface DpopProver {
  /** The key's thumbprint, which binds an authorization code to it. */
  thumbprint: string;
  /** A proof for one request, never the same twice. */
  prove(request: {
    method: string;
    url: URL;
    token?: string | undefined;
    nonce?: string | undefined;
    now: number;
  }): string;
}

/** A new key as it is stored (a JWK as JSON, a secret). */
export function createDpopKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return JSON.stringify(privateKey.export({ format: 'jwk' }));
}

/** Makes a stored key usable. */
export function createDpopProver(stored: string): DpopProver {
  const key = createPrivateKey({ key: JSON.parse(stored) as webcrypto.JsonWebKey, format: 'jwk' });
  const { kty, crv, x, y } = createPublicKey(key).export({ format: 'jwk' });
  const jwk = { crv, kty, x, y };
  return {
    thumbprint: sha256(JSON.stringify(jwk)),
    prove({ method, url, token, nonce, now }) {
      const claims = {
        jti: randomUUID(),
        htm: method,
        htu: `${url.origin}${url.pathname}`,
        iat: Math.floor(now / 1000),
        ath: token === undefined ? undefined : sha256(token),
        nonce,
      };
      const header = { typ: 'dpop+jwt', alg: dpopAlgorithm, jwk };
      return signJwt(header, claims, key);
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
