import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ariaKeys, isPressed, keyNames, type KeyPress, shortcuts } from './shortcuts.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});
const ctrl = { ctrlKey: true };
const meta = { metaKey: true };

describe('a shortcut', () => {
  it('is pressed with exactly its keys, whatever Caps Lock says', () => {
    expect(isPressed('palette', press('k', ctrl), false)).toBe(true);
    expect(isPressed('palette', press('K', ctrl), false)).toBe(true);
    expect(isPressed('palette', press('k'), false)).toBe(false);
    expect(isPressed('palette', press('k', { ...ctrl, altKey: true }), false)).toBe(false);
    expect(isPressed('palette', press('k', { ...ctrl, shiftKey: true }), false)).toBe(false);
    expect(isPressed('newChat', press('O', { ...ctrl, shiftKey: true }), false)).toBe(true);
  });

  it('of a letter needs Command on a Mac, where Ctrl moves the caret', () => {
    expect(isPressed('palette', press('k', meta), true)).toBe(true);
    expect(isPressed('palette', press('k', ctrl), true)).toBe(false);
    expect(isPressed('send', press('Enter', ctrl), true)).toBe(true);
  });

  it('of a sign is pressed wherever the layout has it', () => {
    expect(isPressed('help', press('?', { shiftKey: true }), false)).toBe(true);
    expect(isPressed('help', press('？', { shiftKey: true }), false)).toBe(true);
    expect(isPressed('help', press('?', ctrl), false)).toBe(false);
  });

  it('tells Enter from Shift+Enter', () => {
    expect(isPressed('send', press('Enter'), false)).toBe(true);
    expect(isPressed('send', press('Enter', { shiftKey: true }), false)).toBe(false);
    expect(isPressed('findPrevious', press('Enter', { shiftKey: true }), false)).toBe(true);
  });

  it('is named by the keys of the keyboard at hand', () => {
    expect(keyNames('Mod+Shift+O', false)).toEqual(['Ctrl', 'Shift', 'O']);
    expect(keyNames('Mod+Shift+O', true)).toEqual(['⌘', '⇧', 'O']);
    expect(ariaKeys('sidebar', false)).toBe('Control+B');
    expect(ariaKeys('sidebar', true)).toBe('Meta+B');
  });
});

describe('the list of shortcuts', () => {
  const folder = join(import.meta.dirname, '../..');
  const sources = globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter((path) => !path.includes('.test.') && !path.endsWith('page/shortcuts.ts'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

  it.each(Object.keys(shortcuts))('%s: what is listed is handled somewhere', (id) => {
    const uses = new RegExp(`(?:useShortcut|useKeys)\\([^)]*'${id}'`);
    expect(sources.filter(({ text }) => uses.test(text)).map(({ path }) => path)).not.toEqual([]);
  });

  it('nothing else in the page asks for Ctrl or Command with a key', () => {
    const asks = sources.filter(({ text }) => /\.metaKey|metaKey[,}]/.test(text));
    // What is typed, and clicks with a key held down.
    const others = ['use-row-selection.ts', 'use-shortcut.ts', 'use-typing.ts', 'typed-ahead.ts'];
    expect(new Set(asks.map(({ path }) => path.split('/').at(-1)))).toEqual(new Set(others));
  });
});
