import { isJsonObject, type Json } from '#shared/vocabulary/json.ts';
import type { ChoiceOption, FormNode } from './form-node.ts';

/** Whether a node's control can show a value without changing it; bounds are not looked at. */
export function fitsNode(node: FormNode, value: Json): boolean {
  if (value === null) return node.nullable || (node.kind === 'json' && node.types.length === 0);
  switch (node.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return optionIndex(node.options, value) >= 0;
    case 'choices':
      return Array.isArray(value) && value.every((each) => optionIndex(node.options, each) >= 0);
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'json':
      return node.types.length === 0 || node.types.some((type) => isOfType(type, value));
  }
}

/** Where a value stands among the options, −1 if it is none of them. */
export function optionIndex(options: ChoiceOption[], value: Json | undefined): number {
  return options.findIndex((option) => sameJson(option.value, value));
}

/** Whether two values are the same JSON, whatever the order of their keys. */
export function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => sameJson(each, other[at]));
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]))
  );
}

function isOfType(type: string, value: Json): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === (value === null ? 'null' : typeof value);
}
