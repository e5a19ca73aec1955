/** What was typed since the palette was asked for, while its field is not there yet. */
let typed = '';

/** Takes it; from then on the field gets the keys itself. */
export function takeTyped(): string {
  const taken = typed;
  typed = '';
  return taken;
}

/** Keeps what is typed from whatever has the focus, until the palette's field has it. */
export function keepTyped(onLeave: () => void): () => void {
  typed = '';
  const onKey = (event: KeyboardEvent) => {
    if (isInDialog(event.target) || isShortcut(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onLeave();
    else if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}

function isShortcut(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey } = event;
  return (ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph');
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}
