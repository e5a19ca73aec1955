import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { readAnswer, readList } from './read-json.ts';
import type { Completion } from './types.ts';

const maxValues = 100;
const maxValueChars = 8192;

/** The answer to `completion/complete`. Throws CeriseError where it is none. */
export function readCompletion(value: unknown): Completion {
  const { completion } = readAnswer(value, 'completion/complete');
  if (!isJsonObject(completion)) {
    throw new CeriseError(
      'unreadable_response',
      say('no-completion')`The server didn't return any completions.`,
    );
  }
  const { total, hasMore } = completion;
  const given = readList(completion, 'values', 'completion/complete');
  const values = given.slice(0, maxValues).filter(isValue);
  return {
    values,
    ...(typeof total === 'number' && total >= 0 && { total }),
    hasMore: hasMore === true || given.length > maxValues,
  };
}

function isValue(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxValueChars;
}
