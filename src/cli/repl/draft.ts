/** What somebody types, before it is sent: a text and where the cursor stands in it. */
export interface Draft {
  text: string;
  cursor: number;
}

/** A key as `node:readline` names it. */
export interface Key {
  name?: string | undefined;
  sequence?: string | undefined;
  ctrl?: boolean | undefined;
  meta?: boolean | undefined;
  shift?: boolean | undefined;
}

export const emptyDraft: Draft = { text: '', cursor: 0 };

type Change = (draft: Draft) => Draft;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** What each key changes, by its name with `ctrl-` or `meta-` before it. */
const changes: Record<string, Change> = {
  left: (draft) => ({ ...draft, cursor: before(draft) }),
  'ctrl-b': (draft) => ({ ...draft, cursor: before(draft) }),
  right: (draft) => ({ ...draft, cursor: after(draft) }),
  'ctrl-f': (draft) => ({ ...draft, cursor: after(draft) }),
  'ctrl-left': (draft) => ({ ...draft, cursor: wordBefore(draft) }),
  'meta-left': (draft) => ({ ...draft, cursor: wordBefore(draft) }),
  'meta-b': (draft) => ({ ...draft, cursor: wordBefore(draft) }),
  'ctrl-right': (draft) => ({ ...draft, cursor: wordAfter(draft) }),
  'meta-right': (draft) => ({ ...draft, cursor: wordAfter(draft) }),
  'meta-f': (draft) => ({ ...draft, cursor: wordAfter(draft) }),
  home: (draft) => ({ ...draft, cursor: lineStart(draft) }),
  'ctrl-a': (draft) => ({ ...draft, cursor: lineStart(draft) }),
  end: (draft) => ({ ...draft, cursor: lineEnd(draft) }),
  'ctrl-e': (draft) => ({ ...draft, cursor: lineEnd(draft) }),
  backspace: (draft) => cut(draft, before(draft), draft.cursor),
  'ctrl-h': (draft) => cut(draft, before(draft), draft.cursor),
  delete: (draft) => cut(draft, draft.cursor, after(draft)),
  'ctrl-w': (draft) => cut(draft, wordBefore(draft), draft.cursor),
  'meta-backspace': (draft) => cut(draft, wordBefore(draft), draft.cursor),
  'meta-d': (draft) => cut(draft, draft.cursor, wordAfter(draft)),
  'ctrl-u': (draft) => cut(draft, lineStart(draft), draft.cursor),
  'ctrl-k': (draft) => cut(draft, draft.cursor, lineEnd(draft)),
  'ctrl-j': (draft) => insert(draft, '\n'),
  'meta-return': (draft) => insert(draft, '\n'),
  'meta-enter': (draft) => insert(draft, '\n'),
};

/** The draft after a key; undefined if the key changes nothing of it. */
export function edit(draft: Draft, key: Key): Draft | undefined {
  const change = changes[keyName(key)];
  if (change) return change(draft);
  const { sequence = '', ctrl, meta } = key;
  const isText = !ctrl && !meta && sequence !== '' && !/\p{Cc}/u.test(sequence);
  return isText ? insert(draft, sequence) : undefined;
}

/** A key by its name, such as `ctrl-a`. */
export function keyName({ name = '', ctrl, meta, sequence }: Key): string {
  // Ctrl-J and Enter differ only in what the terminal sends.
  if (sequence === '\n') return 'ctrl-j';
  return `${ctrl ? 'ctrl-' : ''}${meta ? 'meta-' : ''}${name}`;
}

/** Text at the cursor, as typed or pasted: ends of lines become `\n`, other control characters go. */
export function insert({ text, cursor }: Draft, typed: string): Draft {
  const clean = typed
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replaceAll(/(?!\n)\p{Cc}/gu, '');
  return {
    text: `${text.slice(0, cursor)}${clean}${text.slice(cursor)}`,
    cursor: cursor + clean.length,
  };
}

/** The draft with the cursor a line up or down; undefined where there is none. */
export function moveLine(draft: Draft, by: 1 | -1): Draft | undefined {
  const start = lineStart(draft);
  const column = draft.cursor - start;
  if (by < 0) {
    if (start === 0) return undefined;
    const above = lineStart({ ...draft, cursor: start - 1 });
    return { ...draft, cursor: Math.min(above + column, start - 1) };
  }
  const end = lineEnd(draft);
  if (end === draft.text.length) return undefined;
  return { ...draft, cursor: Math.min(end + 1 + column, lineEnd({ ...draft, cursor: end + 1 })) };
}

function cut({ text }: Draft, from: number, to: number): Draft {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

function before({ text, cursor }: Draft): number {
  let at = 0;
  for (const { index } of graphemes.segment(text.slice(0, cursor))) at = index;
  return at;
}

function after({ text, cursor }: Draft): number {
  for (const { segment } of graphemes.segment(text.slice(cursor))) return cursor + segment.length;
  return cursor;
}

function wordBefore({ text, cursor }: Draft): number {
  return text.slice(0, cursor).replace(/\S+\s*$/, '').length;
}

function wordAfter({ text, cursor }: Draft): number {
  return cursor + (/^\s*\S+/.exec(text.slice(cursor))?.[0].length ?? text.length - cursor);
}

function lineStart({ text, cursor }: Draft): number {
  return text.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd({ text, cursor }: Draft): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}
