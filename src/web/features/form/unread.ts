import type { Json } from '#shared/vocabulary/json.ts';

/** Private-use characters nobody types, so that no real text is taken for an unread one. */
const mark = '\uE0F7\uE0F8unread\uE0F8\uE0F7';
const marked = new RegExp(`"${mark}((?:[^"\\\\]|\\\\.)*)"`, 'g');

/** Stands in a form's value for what was typed but cannot be read as a number or as JSON; empty: nothing yet. */
export function toUnread(text: string): string {
  return mark + text;
}

/** JSON of a value to be read and changed; what stands in it for typed text is that text again. */
export function toJsonText(value: Json): string {
  const text = JSON.stringify(value, null, 2);
  return text.replaceAll(marked, (_, typed: string) => JSON.parse(`"${typed}"`) as string);
}

/** What was typed, where a value only stands for it. `checkForm` refuses such values. */
export function unreadText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}
