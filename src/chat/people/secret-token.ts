import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A text that nobody can guess. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** How a token is stored: it is random and long, so a plain hash is enough. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** Compares in constant time, whatever the lengths. */
export function equalTokens(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(a)), Buffer.from(hashToken(b)));
}
