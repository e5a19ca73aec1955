import type { Theme } from './preferences.ts';

/** The theme that looks different from this one: the system's where that does. */
export function otherTheme(theme: Theme, isSystemDark: boolean): Theme {
  const system = isSystemDark ? 'dark' : 'light';
  const shown = theme === 'system' ? system : theme;
  const other = shown === 'dark' ? 'light' : 'dark';
  return other === system ? 'system' : other;
}
