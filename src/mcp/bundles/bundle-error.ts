import { CeriseError } from '#shared/errors/errors.ts';
import type { Words } from '#shared/errors/sentence.ts';

/** The error for a file that is no bundle, or one that is refused. */
export function invalidBundle(message: Words, hint?: Words, cause?: unknown): CeriseError {
  return new CeriseError('invalid_bundle', message, { ...(hint && { hint }), cause });
}
