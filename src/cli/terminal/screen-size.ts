/** How large a terminal is. One whose size nobody set, as `script` makes them, says 0. */
export function screenSize(out: { rows?: number; columns?: number }): {
  rows: number;
  columns: number;
} {
  return { rows: out.rows || 24, columns: out.columns || 80 };
}
