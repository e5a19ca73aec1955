/** A word at the caret that asks for a list: `/name` as the first word, or `@name` anywhere. */
export interface Trigger {
  kind: 'command' | 'resource';
  /** What was written after the mark. */
  query: string;
  /** Where the mark stands. */
  start: number;
  /** Where the caret is. */
  end: number;
}

/** The word before the caret, if it is one that asks for a list. An address of mail is none. */
export function findTrigger(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before)?.[1];
  if (command !== undefined) return { kind: 'command', query: command, start: 0, end: caret };
  const found = /(?<![\w.%+-])@([^\s@]*)$/.exec(before);
  if (!found) return undefined;
  return { kind: 'resource', query: found[1] ?? '', start: found.index, end: caret };
}
