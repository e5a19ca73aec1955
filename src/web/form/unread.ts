import type { Json } from '#shared/json.ts';

/** Private-use characters nobody types, so that no real text is taken for an unread one. */
const mark = '\uE0F7\uE0F8unread\uE0F8\uE0F7';

/** Stands in a form's value for what was typed but cannot be read as a number or as JSON; empty: nothing yet. */
export function toUnread(text: string): string {
  return mark + text;
}

/** What was typed, where a value only stands for it. `checkForm` refuses such values. */
export function unreadText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}
