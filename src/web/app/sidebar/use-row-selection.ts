import { type MouseEvent, type KeyboardEvent, type PointerEvent, useRef } from 'react';
import {
  clearSelection,
  selectRange,
  toggleSelected,
  useSelection,
} from '../../state/chat/selection.ts';
import { isPressed } from '../../state/page/shortcuts.ts';

/** How long a finger rests on a row to select it. */
const restMs = 500;

/**
 * Selecting by a row: its box, a finger that rests on it, the space bar; a click on the row itself once something is
 * selected, with Shift for everything in between.
 */
export function useRowSelection(id: string) {
  const isSelected = useSelection(({ selected }) => selected.has(id));
  const isSelecting = useSelection(({ selected }) => selected.size > 0);
  const { takeRest, touch } = useRest(() => toggleSelected(id));
  const select = (event: { shiftKey: boolean; currentTarget: Element }) => {
    if (event.shiftKey) selectRange(id, orderAround(event.currentTarget));
    else toggleSelected(id);
  };
  return {
    isSelected,
    isSelecting,
    select,
    /** For the link of the row: prevents what was no wish to go there. */
    onClick: (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey) return;
      const hasRested = takeRest();
      if (!isSelecting && !hasRested) return;
      event.preventDefault();
      if (!hasRested) select(event);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      if (isSelecting && isPressed('listClear', event)) clearSelection();
      else if (isPressed('listSelect', event)) select(event);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    /** For the link as well: what happens in the menu of the row is no wish to select it. */
    touch,
  };
}

/** A finger that rests in one place; `takeRest` says once whether the last one did. */
function useRest(onRest: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rested = useRef(false);
  const end = () => clearTimeout(timer.current);
  const touch = {
    onPointerDown: (event: PointerEvent): void => {
      if (event.pointerType === 'mouse') return;
      rested.current = false;
      timer.current = setTimeout(() => {
        rested.current = true;
        onRest();
      }, restMs);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onPointerMove: (event: PointerEvent): void => {
      if (Math.abs(event.movementX) + Math.abs(event.movementY) > 4) end();
    },
    onContextMenu: (event: MouseEvent): void => {
      if (rested.current) event.preventDefault();
    },
  };
  const takeRest = () => {
    const hasRested = rested.current;
    rested.current = false;
    return hasRested;
  };
  return { takeRest, touch };
}

/** The ids of the rows around an element, in the order in which they stand. */
function orderAround(element: Element): string[] {
  const rows = element.closest('nav')?.querySelectorAll<HTMLElement>('[data-testid="topic-row"]');
  return [...(rows ?? [])].map((row) => row.dataset['id'] ?? '');
}
