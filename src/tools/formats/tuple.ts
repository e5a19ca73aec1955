import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { distinct } from './keywords.ts';

/** A tuple for vendors that take none: a list whose items are any of the tuple's. */
export function tupleAsList(
  tuple: readonly Json[],
  { items, minItems, maxItems }: JsonObject,
): JsonObject {
  const isOpen = items !== undefined && items !== false;
  const kinds = distinct([...tuple, ...(isOpen ? [items] : [])]);
  return {
    items: kinds.length === 1 ? (kinds[0] ?? {}) : { anyOf: kinds },
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...(maxItems === undefined && items === false && { maxItems: tuple.length }),
  };
}
