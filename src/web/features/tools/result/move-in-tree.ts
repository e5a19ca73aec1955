/**
 * What an arrow key does in a tree, as the ARIA pattern says: it moves the focus among the visible items,
 * and opens and closes branches. False for any other key.
 */
export function moveInTree(tree: HTMLElement, key: string): boolean {
  const items = [...tree.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  const present = document.activeElement?.closest<HTMLElement>('[role="treeitem"]');
  const place = present ? items.indexOf(present) : -1;
  switch (key) {
    case 'ArrowDown':
      return focus(items, items[place + 1]);
    case 'ArrowUp':
      return focus(items, items[Math.max(0, place - 1)]);
    case 'Home':
      return focus(items, items[0]);
    case 'End':
      return focus(items, items.at(-1));
    case 'ArrowRight':
      if (present?.ariaExpanded === 'false') return toggle(present);
      return focus(items, present?.ariaExpanded === 'true' ? items[place + 1] : undefined);
    case 'ArrowLeft':
      if (present?.ariaExpanded === 'true') return toggle(present);
      return focus(items, present?.parentElement?.closest<HTMLElement>('[role="treeitem"]'));
    case 'Enter':
    case ' ':
      if (document.activeElement !== present) return false;
      return present?.ariaExpanded ? toggle(present) : true;
    default:
      return false;
  }
}

/** The tab key comes back to the item that had the focus. */
function focus(items: HTMLElement[], next: HTMLElement | null | undefined): boolean {
  if (!next) return true;
  for (const item of items) item.tabIndex = item === next ? 0 : -1;
  next.focus();
  return true;
}

function toggle(item: HTMLElement): boolean {
  item.querySelector<HTMLElement>('[data-toggle]')?.click();
  return true;
}
