/** Something a person asks for. `position` counts from 0, -1 is the last. */
export type Intent =
  | { kind: 'time'; place?: string | undefined }
  | { kind: 'list'; path: string }
  | { kind: 'read'; path: string }
  | { kind: 'write'; path: string; text: string }
  | { kind: 'fetch'; url: string }
  | { kind: 'remember'; fact: string }
  | { kind: 'recall'; about?: string }
  | { kind: 'calculate'; expression: string }
  | { kind: 'search'; query: string }
  | { kind: 'image' }
  | { kind: 'sound' }
  /** The row of a table file with the most or least of a column. */
  | { kind: 'rank'; path: string; column: string; most: boolean }
  /** A line more in a file. */
  | { kind: 'append'; path: string; line: string }
  /** One of the files of an earlier listing. */
  | { kind: 'pick'; position: number }
  /** Which of the listed files is the largest or smallest. */
  | { kind: 'size'; smallest: boolean }
  /** The same as before about something else. */
  | { kind: 'again'; subject: string }
  | { kind: 'history' }
  | { kind: 'help' };

/** Intents with the place of the words they were read from. */
export interface Found {
  start: number;
  end: number;
  intents: Intent[];
}

/** A file name with an extension, folders included; for use in a `u` regular expression. */
export const filePattern = String.raw`[\p{L}\p{N}_][\p{L}\p{N}_./-]*\.[A-Za-z][A-Za-z0-9]{0,7}`;

/** “A, B and C” or “甲、乙和丙” as its members. */
export function splitList(text: string): string[] {
  return text
    .split(/\s*(?:,\s*and\s+|,|\band\s+|、|，|和|与|跟|以及)\s*/u)
    .map((part) => part.trim())
    .filter(Boolean);
}
