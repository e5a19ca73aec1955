import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { lazyPart, Part } from '../../features/loading/part.tsx';
import { showOverlay, useOverlay } from '../../state/page/overlay.ts';
import { useShortcut } from '../../state/page/use-shortcut.ts';
import { useBack } from '../../ui/hooks/use-back.ts';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);
const Help = lazyPart(async () => (await import('./help.tsx')).Help);

function close(): void {
  showOverlay(null);
}

/** The palette and the list of shortcuts, with the keys that work on every page. */
export function Overlays(): ReactElement {
  const overlay = useOverlay((state) => state.overlay);
  const [, navigate] = useLocation();
  useBack(close);
  useShortcut('palette', () => showOverlay('palette'));
  useShortcut('help', () => showOverlay('help'));
  useShortcut('newChat', () => navigate('/'));
  return (
    <Part>
      {overlay === 'palette' && <Palette />}
      {overlay === 'help' && <Help />}
    </Part>
  );
}
