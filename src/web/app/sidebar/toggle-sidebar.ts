import { flushSync } from 'react-dom';
import { setPreference, usePreferences } from '../../state/page/preferences.ts';

/** Folds the sidebar or unfolds it. Whoever was in the sidebar stays in it, at the button that is there in both states. */
export function toggleSidebar(): void {
  const pane = document.querySelector('[data-testid="side-pane"]');
  const wasInside = pane?.contains(document.activeElement) ?? false;
  const { sidebar } = usePreferences.getState();
  flushSync(() => setPreference({ sidebar: sidebar === 'folded' ? 'open' : 'folded' }));
  if (wasInside) pane?.querySelector<HTMLElement>('[data-testid="fold-sidebar"]')?.focus();
}
