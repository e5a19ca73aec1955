import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { isPressed, type ShortcutId } from './shortcuts.ts';

/** What takes keys of its own: fields, and lists that find an entry by its first letters. */
const takesKeys =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="menu"], ' +
  '[role="listbox"], [role="combobox"], [role="tree"], [role="dialog"], [role="alertdialog"]';

/** How many parts of the page listen to each shortcut now: the help lists those, and no others. */
export const useListening = create<Partial<Record<ShortcutId, number>>>(() => ({}));

/** Whether keys that write something belong to what has the focus. */
export function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(takesKeys) !== null;
}

/**
 * Does something when a shortcut is pressed anywhere in the page, unless a dialog lies over it or something
 * else took the key. `run` may leave it to the browser by returning false.
 */
export function useShortcut(id: ShortcutId, run: () => unknown, { inDialogs = false } = {}): void {
  useKeys(id);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !isPressed(id, event)) return;
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && isTypedInto(event.target))
      return;
    if (!inDialogs && document.querySelector('[role="dialog"]')) return;
    if (run() !== false) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Says that a part of the page handles these shortcuts itself, for as long as it is there. */
export function useKeys(...ids: ShortcutId[]): void {
  const names = ids.join(' ');
  useEffect(() => {
    const own = names.split(' ') as ShortcutId[];
    const add = (step: number) =>
      useListening.setState((before) =>
        Object.fromEntries(own.map((id) => [id, (before[id] ?? 0) + step])),
      );
    add(1);
    return () => add(-1);
  }, [names]);
}
