/** Why characters would not be seen. */
export const hiddenReasons = [
  'direction',
  'control',
  'space',
  'line',
  'tag',
  'private',
  'unassigned',
  'surrogate',
  'marks',
  'invisible',
] as const;

export type HiddenReason = (typeof hiddenReasons)[number];

/** A stretch of a text. `text` is exactly what stands there: joined, the parts are the whole. */
export type VisiblePart =
  | { kind: 'text'; text: string }
  /** Would not be seen: `label` says what stands there, and how often. */
  | { kind: 'hidden'; text: string; label: string; reason: HiddenReason }
  /** A word with letters of `scripts`, some of which pass for those of another. */
  | { kind: 'lookalike'; text: string; scripts: string[] };
