import { z } from 'zod';
import { schemaWords } from '../errors/schema-words.ts';
import { sanitiseText } from '../text/text.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/** Fields that many schemas have. */

/** Without what a database writes otherwise: two of them must not become the same. */
export const id = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => sanitiseText(text) === text);
/** A name that people choose and others read, in sentences of ours. */
export const displayName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, schemaWords.invisible.text);
/** `provider/model`, or the vendor's own name for one. */
export const modelName = z.string().min(1).max(300);
/** Milliseconds since 1970. */
export const time = z.number().refine(isWholeUpTo(8.64e15));
export const count = z.number().refine(isWholeUpTo(1_000_000_000));
/** Any JSON object. */
export const jsonObject = z.custom<JsonObject>(isJsonObject);

/**
 * A JSON object that stays as it was sent. Records leave out keys like `__proto__`, so that something
 * else would be judged, or carried out, than somebody was shown.
 */
export const exactObject = z
  .custom<JsonObject>(isJsonObject)
  .meta({ type: 'object', additionalProperties: true });

function isWholeUpTo(most: number): (value: number) => boolean {
  return (value) => Number.isInteger(value) && value >= 0 && value <= most;
}
