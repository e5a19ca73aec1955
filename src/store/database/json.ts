import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { hasUnsafeEscape, parseSanitised } from '#shared/text/text.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';

/** A JSON value as it is stored: sanitised text. */
export function toJson(value: unknown): string {
  return cleanJson(JSON.stringify(value));
}

/** What `JSON.stringify` made, sanitised. */
export function cleanJson(text: string): string {
  return hasUnsafeEscape(text) ? JSON.stringify(parseSanitised(text)) : text;
}

/** The same for a value that may be absent. */
export function toJsonOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : toJson(value);
}

/** Reads what `toJson` wrote; the caller knows what that was. Throws CeriseError `data_unreadable`. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says quotes the text, which may be a secret: only its length is told.
    throw damagedRecord(new Error(`${text.length} characters that are no JSON`));
  }
}

/** The same for what was an object when it was written. */
export function objectFromJson(text: string): object {
  const value = fromJson(text);
  if (isJsonObject(value)) return value;
  throw damagedRecord(new Error(`${text.length} characters that are no object`));
}

/** The same for what was a list. */
export function listFromJson(text: string): unknown[] {
  const value = fromJson(text);
  if (Array.isArray(value)) return value;
  throw damagedRecord(new Error(`${text.length} characters that are no list`));
}

/** For what is stored but is not what was written. The cause goes into the log: it quotes nothing. */
export function damagedRecord(cause: Error): CeriseError {
  return new CeriseError('data_unreadable', say('row-unreadable')`A stored record is damaged.`, {
    hint: say(
      'row-unreadable-hint',
    )`Ask an admin to restore it from a backup. The log has details.`,
    cause,
  });
}
