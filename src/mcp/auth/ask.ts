import { CeriseError } from '#shared/errors/errors.ts';
import { type Words } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { HttpAnswer, HttpRequest } from '../http/http-request.ts';

/** Sends one request under the host's rules for outgoing traffic. Throws CeriseError. */
export type Ask = (request: HttpRequest) => Promise<HttpAnswer>;

/** What authorization servers may send: far more than any of them needs. */
export const answerBytes = 256 * 1024;
/** Milliseconds one of them may take for one answer. */
export const answerMs = 15_000;

/** A sign-in that cannot go on, with the reason as a sentence. */
export function signInFailed(
  message: Words,
  options: { hint?: Words | undefined; details?: unknown; cause?: unknown } = {},
): CeriseError {
  return new CeriseError('sign_in_failed', message, options);
}

/** A stranger's words, made fit to be shown in a sentence. */
export function quoted(text: string): string {
  return truncate(
    text.replaceAll(/[^\u0020-\u007e\u00a1-\u024f\u2010-\u2027\u3000-\u9fff]+/g, ' ').trim(),
    200,
  );
}

/** A JSON object, or undefined for any other text. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}
