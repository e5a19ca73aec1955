import { create } from 'zustand';

/** What lies over the whole page. */
type Overlay = 'palette' | 'help';

/** The one that is open. */
export const useOverlay = create<{ overlay: Overlay | null }>(() => ({ overlay: null }));

/** Opens one in place of the other, or closes it. */
export function showOverlay(overlay: Overlay | null): void {
  useOverlay.setState({ overlay });
}
