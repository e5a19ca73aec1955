import { type RefObject, useEffect } from 'react';
import { isPressed } from '../../state/page/shortcuts.ts';
import { isTypedInto } from '../../state/page/use-shortcut.ts';

/** What is typed anywhere outside of a field goes into the box: its first key too. */
export function useTyping(area: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const box = area.current;
      if (!box || !isTyped(event)) return;
      if (isTypedInto(event.target)) return;
      // The browser writes the key where the focus is by then.
      box.focus({ preventScroll: true });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [area]);
}

/** Whether a key writes something. A blank scrolls the page or presses a button. */
function isTyped(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (defaultPrevented || key === ' ' || isPressed('help', event)) return false;
  const isShortcut = (ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph');
  // An input method begins with `Process`, an accent with `Dead`.
  return !isShortcut && /^(?:.|Process|Dead)$/su.test(key);
}
