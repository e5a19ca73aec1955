/** Where a changed address leads: to the same place, elsewhere on the same origin, or to another one. */
export type Move = 'none' | 'within' | 'elsewhere';

/**
 * Judges a change of address. Scheme, host and port are the origin; a final dot makes another host. What
 * is no address is the same only as itself.
 */
export function judgeMove(before: string, after: string): Move {
  const [from, to] = [URL.parse(before), URL.parse(after)];
  if (!from || !to) return before === after ? 'none' : 'elsewhere';
  if (from.href === to.href) return 'none';
  return from.origin === to.origin && from.origin !== 'null' ? 'within' : 'elsewhere';
}

/**
 * How far each kind of secret moves along with its address. A key, a header or the secret of a client was
 * given to the operator of the origin. Tokens were given out for one resource, which the path is a part of.
 */
const farthest: Record<'key' | 'sign-in', readonly Move[]> = {
  key: ['none', 'within'],
  'sign-in': ['none'],
};

/**
 * The one rule for everything secret that is stored: it belongs to the address it was given for. Says
 * whether what was stored for one address may be sent to another.
 */
export function keepsSecret(kind: keyof typeof farthest, before: string, after: string): boolean {
  return farthest[kind].includes(judgeMove(before, after));
}

/** The names of stored secrets that a move leaves behind, so that they have to be entered again. */
export function toEnterAgain(
  { before, after }: { before: string; after: string },
  stored: readonly string[],
): string[] {
  return keepsSecret('key', before, after) ? [] : [...stored];
}
