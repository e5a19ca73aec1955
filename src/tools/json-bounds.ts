/** How deep and how large a JSON value may be. */
export interface JsonBounds {
  depth: number;
  nodes: number;
}

/** Why a value is out of bounds, if it is. Without recursion, so that depth cannot exhaust the stack. */
export function boundsProblem(value: unknown, bounds: JsonBounds): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  let nodes = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: current, depth } = next;
    if (++nodes > bounds.nodes) return `has more than ${bounds.nodes} values`;
    if (typeof current !== 'object' || current === null) continue;
    if (depth > bounds.depth) return `is nested more than ${bounds.depth} levels deep`;
    for (const inner of Object.values(current)) open.push({ value: inner, depth: depth + 1 });
  }
  return undefined;
}
