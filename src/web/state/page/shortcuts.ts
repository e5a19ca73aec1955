/** Where a shortcut works; the help lists them by these. */
export const shortcutPlaces = ['page', 'chat', 'composer', 'edit', 'find', 'list'] as const;
/** One of the places. */
type ShortcutPlace = (typeof shortcutPlaces)[number];

interface Shortcut {
  place: ShortcutPlace;
  /** `Mod` is Ctrl, or Command on a Mac. */
  keys: readonly [string, ...string[]];
  /** Does the same and is not listed: the same key of another layout. */
  also?: readonly string[];
}

/**
 * Every shortcut of the page: what handles a key asks here whether it is meant, and the help is drawn from
 * here. Keys that a list, a menu or a dialog has everywhere are not among them.
 */
export const shortcuts = {
  palette: { place: 'page', keys: ['Mod+K'] },
  newChat: { place: 'page', keys: ['Mod+Shift+O'] },
  sidebar: { place: 'page', keys: ['Mod+B'] },
  nextRequest: { place: 'page', keys: ['F8'] },
  help: { place: 'page', keys: ['?'], also: ['？'] },
  find: { place: 'chat', keys: ['Mod+F'] },
  version: { place: 'chat', keys: ['ArrowLeft', 'ArrowRight'] },
  send: { place: 'composer', keys: ['Enter', 'Mod+Enter'] },
  newLine: { place: 'composer', keys: ['Shift+Enter'] },
  sendModified: { place: 'composer', keys: ['Mod+Enter'] },
  newLinePlain: { place: 'composer', keys: ['Enter'] },
  commands: { place: 'composer', keys: ['/'] },
  resources: { place: 'composer', keys: ['@'] },
  recall: { place: 'composer', keys: ['ArrowUp'] },
  recallNext: { place: 'composer', keys: ['ArrowDown'] },
  recallLeave: { place: 'composer', keys: ['Escape'] },
  editSend: { place: 'edit', keys: ['Mod+Enter'] },
  editCancel: { place: 'edit', keys: ['Escape'] },
  findNext: { place: 'find', keys: ['Enter'] },
  findPrevious: { place: 'find', keys: ['Shift+Enter'] },
  findClose: { place: 'find', keys: ['Escape'] },
  listMove: { place: 'list', keys: ['ArrowUp', 'ArrowDown', 'Home', 'End'] },
  listSelect: { place: 'list', keys: ['Space'], also: ['Shift+Space'] },
  listClear: { place: 'list', keys: ['Escape'] },
} as const satisfies Record<string, Shortcut>;

/** One of the shortcuts. */
export type ShortcutId = keyof typeof shortcuts;

/** What of a key press tells one from another. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** Whether a key press is this shortcut. */
export function isPressed(id: ShortcutId, press: KeyPress, isMac = onMac()): boolean {
  const { keys, also = [] }: Shortcut = shortcuts[id];
  return [...keys, ...also].some((combination) => fits(combination, press, isMac));
}

/** The keys of a combination as they are printed on a keyboard: `['Ctrl', 'K']`. */
export function keyNames(combination: string, isMac = onMac()): string[] {
  const names: Record<string, string> = {
    Mod: isMac ? '⌘' : 'Ctrl',
    Shift: isMac ? '⇧' : 'Shift',
    ArrowUp: '↑',
    ArrowDown: '↓',
    ArrowLeft: '←',
    ArrowRight: '→',
    Escape: 'Esc',
  };
  return combination.split('+').map((part) => names[part] ?? part);
}

/** For `aria-keyshortcuts`. */
export function ariaKeys(id: ShortcutId, isMac = onMac()): string {
  const { keys }: Shortcut = shortcuts[id];
  return keys.map((one) => one.replace('Mod', isMac ? 'Meta' : 'Control')).join(' ');
}

function fits(combination: string, press: KeyPress, isMac: boolean): boolean {
  const parts = combination.split('+');
  const name = parts.pop() ?? '';
  const wanted = name === 'Space' ? ' ' : name;
  const isLetter = /^[A-Z]$/.test(wanted);
  if (press.altKey || (isLetter ? press.key.toUpperCase() : press.key) !== wanted) return false;
  const { ctrlKey, metaKey } = press;
  if (!parts.includes('Mod')) {
    if (ctrlKey || metaKey) return false;
    // A sign stands where the layout has it, with Shift or without.
    return isSign(wanted) || press.shiftKey === parts.includes('Shift');
  }
  // On a Mac, Ctrl with a letter moves the caret.
  const isMod = isMac && isLetter ? metaKey && !ctrlKey : ctrlKey !== metaKey;
  return isMod && press.shiftKey === parts.includes('Shift');
}

function isSign(key: string): boolean {
  return key.length === 1 && key !== ' ';
}

function onMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);
}
