import { isDeeperThan, type JsonObject } from '#shared/json.ts';
import { sanitiseJson } from '#shared/text.ts';

const deepest = 500;

/**
 * Arguments as they are stored, shown, hashed and sent: one value for all of it, also where JSON or the
 * databases cannot hold what was written (`1e400`, `-0`, NUL). What is nested too deep is left to be refused.
 */
export function sentArguments(args: JsonObject): JsonObject {
  return isDeeperThan(args, deepest) ? args : sanitiseJson(args);
}
