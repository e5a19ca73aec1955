import { errorInfo, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sanitiseJson } from '#shared/text/text.ts';
import { isDeeperThan, type JsonObject } from '#shared/vocabulary/json.ts';

const deepest = 500;

/**
 * Arguments as they are stored, shown, hashed and sent: one value for all of it, also where JSON or the
 * databases cannot hold what was written (`1e400`, `-0`, NUL).
 */
export function sanitiseArguments(args: JsonObject): JsonObject {
  return sanitiseJson(args);
}

/** Why arguments cannot be taken: storing or hashing what is nested so deep runs out of stack. */
export function nestingProblem(args: JsonObject): ErrorInfo | undefined {
  if (!isDeeperThan(args, deepest)) return undefined;
  return errorInfo(
    'invalid_arguments',
    say('arguments-too-deep')`The arguments are nested more than ${deepest} levels deep.`,
  );
}
