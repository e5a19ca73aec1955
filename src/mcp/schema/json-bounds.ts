import { say, type Words } from '#shared/errors/sentence.ts';

/** How deep and how large a JSON value may be. */
export interface JsonBounds {
  depth: number;
  nodes: number;
  /** Of all texts and keys together. */
  characters?: number;
}

/** Why a value is out of bounds, if it is. Never goes deeper than the bound, so the stack holds. */
export function boundsProblem(value: unknown, bounds: JsonBounds): Words | undefined {
  const left = { nodes: bounds.nodes, characters: bounds.characters ?? Infinity };
  if (fits(value, bounds.depth, left)) return undefined;
  if (left.nodes < 0) return say('values-most')`has more than ${bounds.nodes} values`;
  if (left.characters < 0)
    return say('characters-most')`has more than ${bounds.characters ?? 0} characters`;
  return say('depth-most')`is nested more than ${bounds.depth} levels deep`;
}

function fits(value: unknown, depth: number, left: { nodes: number; characters: number }): boolean {
  left.nodes -= 1;
  if (left.nodes < 0) return false;
  if (typeof value === 'string') return (left.characters -= value.length) >= 0;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!fits(item, depth - 1, left)) return false;
    return true;
  }
  for (const key of Object.keys(value)) {
    left.characters -= key.length;
    if (!fits((value as Record<string, unknown>)[key], depth - 1, left)) return false;
  }
  return left.characters >= 0;
}
