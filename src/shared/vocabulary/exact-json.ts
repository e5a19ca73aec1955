import { z } from 'zod';
import { isDeeperThan, isJsonObject, type JsonObject } from './json.ts';

const deepest = 500;

/**
 * A JSON object that stays as it was sent. Records leave out keys like `__proto__`, so that something
 * else would be judged, or carried out, than somebody was shown.
 */
export const exactObject = z
  .custom<JsonObject>((value) => isJsonObject(value) && !isDeeperThan(value, deepest))
  .meta({ type: 'object', additionalProperties: true });
