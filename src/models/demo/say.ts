import type { Language } from './context.ts';

/** One sentence in the language of the question. */
export function say(language: Language, english: string, chinese: string): string {
  return language === 'zh' ? chinese : english;
}

/** A fenced code block that its content cannot end. */
export function fenced(content: string, info = ''): string {
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${content}\n${fence}`;
}

/** At most `max` lines of a text, each at most 400 characters, and how many lines there are. */
export function firstLines(text: string, max: number): { shown: string; total: number } {
  const lines = text.split('\n');
  const shown = lines
    .slice(0, max)
    .map((line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line));
  return { shown: shown.join('\n').toWellFormed(), total: lines.length };
}

/** Names in a sentence: “a”, “a and b”, “a, b and c”. */
export function enumerate(language: Language, names: string[]): string {
  if (names.length < 2) return names.join('');
  const last = names.at(-1) ?? '';
  const rest = names.slice(0, -1).join(say(language, ', ', '、'));
  return `${rest}${say(language, ' and ', '和')}${last}`;
}

/** A size in bytes as people read it. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(1)} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
