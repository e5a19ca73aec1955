import { type ReactElement, useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'wouter';
import { lazyPart, Part } from '../../features/loading/part.tsx';
import { logFault } from '../../state/page/log-fault.ts';
import { showOverlay, useOverlay } from '../../state/page/overlay.ts';
import { readPart } from '../../state/page/parts.ts';
import { useShortcut } from '../../state/page/use-shortcut.ts';
import { useBack } from '../../ui/hooks/use-back.ts';
import { keepTyped } from './typed-ahead.ts';

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
  useReadAhead();
  useLayoutEffect(() => (overlay === 'palette' ? keepTyped(close) : undefined), [overlay]);
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

/** The palette is asked for by keys, and typed into at once: it is there before. */
function useReadAhead(): void {
  useEffect(() => {
    if (typeof requestIdleCallback === 'undefined') return undefined;
    const id = requestIdleCallback(() => {
      readPart(() => import('./palette.tsx')).catch(logFault);
    });
    return () => cancelIdleCallback(id);
  }, []);
}
