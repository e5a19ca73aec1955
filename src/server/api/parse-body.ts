import type { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { jsonExcess } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { invalidRequest } from './present-error.ts';

/** How deep the JSON of a request may be nested, and how many fields one object may have. */
const depth = 200;
const fields = 10_000;

/**
 * The JSON of a request, of which no schema sees more than can be looked at at once. Throws `invalid_json`,
 * `invalid_request`, `body_too_large`.
 */
export function parseBody(text: string, { bodyParts: parts }: Pick<Limits, 'bodyParts'>): unknown {
  switch (jsonExcess(text, { depth, parts, fields })) {
    case 'depth':
      throw new CeriseError(
        'invalid_request',
        say('body-deep')`The request body is nested more than ${depth} levels deep.`,
      );
    case 'parts':
      throw tooLarge(
        say('body-parts')`A request can have up to ${parts} objects, lists and fields.`,
      );
    case 'fields':
      throw tooLarge(say('body-fields')`An object in a request can have up to ${fields} fields.`);
    case undefined:
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CeriseError('invalid_json', say('body-no-json')`The request body isn't valid JSON.`, {
      hint: say('body-no-json-hint')`Send a JSON object with the content type application/json.`,
      cause,
    });
  }
}

/** A value as its schema has it. Throws `invalid_request`. */
export function parseAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.map((issue) => innermost(issue)));
}

/** Of what may have several forms: what is wrong with the one that fits best. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const wrong = issue.errors.flatMap(([first]) => (first ? [innermost(first)] : []));
  const [best] = wrong.toSorted((one, other) => other.path.length - one.path.length);
  return best ? { ...best, path: [...issue.path, ...best.path] } : issue;
}

/** The error for a request that is larger than may be. */
export function bodyTooLarge(mostBytes: number): CeriseError {
  return tooLarge(say('request-at-most')`A request can be up to ${mostBytes / 1024} KiB.`);
}

function tooLarge(words: Words): CeriseError {
  return new CeriseError('body_too_large', words);
}
