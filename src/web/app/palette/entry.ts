import type { ReactNode } from 'react';
import type { ShortcutId } from '../../state/page/shortcuts.ts';
import type { Entry } from './rank.ts';

/** Something to choose, with what it does. */
export interface PaletteEntry extends Entry {
  icon: ReactNode;
  /** Said beside it, smaller. */
  detail?: string;
  /** Does the same. */
  shortcut?: ShortcutId;
  run: () => void;
}
