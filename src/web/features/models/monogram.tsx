import type { CSSProperties, ReactElement } from 'react';
import { hueOf, initialsOf } from './initials.ts';

/** A mark of our own for a vendor or provider: its first letters on a colour that follows from its name. */
export function Monogram({ name }: { name: string }): ReactElement {
  const colour = { '--hue': hueOf(name) } as CSSProperties;
  return (
    <span aria-hidden className="monogram" style={colour}>
      {initialsOf(name)}
    </span>
  );
}
