import { describe, expect, it } from 'vitest';
import { type Draft, edit, insert, type Key, moveLine } from './draft.ts';

/** A draft with `|` for the cursor. */
const draft = (text: string): Draft => ({ text: text.replace('|', ''), cursor: text.indexOf('|') });
const show = ({ text, cursor }: Draft) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const ctrl = (name: string): Key => ({ name, ctrl: true });
const meta = (name: string): Key => ({ name, meta: true });

describe('a draft', () => {
  it.each<[string, Key, string]>([
    ['ab|c', { name: 'left' }, 'a|bc'],
    ['ab|c', { name: 'right' }, 'abc|'],
    ['e\u0301|', { name: 'backspace' }, '|'],
    ['👩‍👩‍👧|x', { name: 'left' }, '|👩‍👩‍👧x'],
    ['a|👩‍👩‍👧x', { name: 'delete' }, 'a|x'],
    ['one\ntwo th|ree', ctrl('a'), 'one\n|two three'],
    ['one\ntw|o\nthree', ctrl('e'), 'one\ntwo|\nthree'],
    ['one two |', ctrl('w'), 'one |'],
    ['a\none tw|o', ctrl('u'), 'a\n|o'],
    ['a|b\nc', ctrl('k'), 'a|\nc'],
    ['one |two three', meta('f'), 'one two| three'],
    ['one two|', meta('b'), 'one |two'],
    ['a|b', { name: 'enter', sequence: '\n' }, 'a\n|b'],
    ['a|b', meta('return'), 'a\n|b'],
    ['|', { name: 'x', sequence: '中' }, '中|'],
  ])('%j becomes by %j', (from, key, to) => {
    expect(edit(draft(from), key)).toEqual(draft(to));
  });

  it('takes no control character', () => {
    expect(edit(draft('a|'), { sequence: '\u001b[200~' })).toBeUndefined();
    expect(edit(draft('a|'), { name: 'escape', sequence: '\u001b' })).toBeUndefined();
    expect(show(insert(draft('a|'), 'x\r\ny\rz\u001b[31m\u0000\t.'))).toBe('ax\ny\nz[31m  .|');
  });

  it('has lines that the cursor moves over', () => {
    const at = (text: string, by: 1 | -1) => {
      const moved = moveLine(draft(text), by);
      return moved && show(moved);
    };
    expect(at('one\nlonger|\nx', -1)).toBe('one|\nlonger\nx');
    expect(at('one\nlonger|\nx', 1)).toBe('one\nlonger\nx|');
    expect(at('o|ne\ntwo', -1)).toBeUndefined();
    expect(at('one\nt|wo', 1)).toBeUndefined();
  });
});
